package io.lockkeeper.quarkus.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The drivers that fit to the Netty of an application. */
class LettuceTest {

  @ParameterizedTest
  @CsvSource({
    "'', 4.1.130.Final, true",
    "6.6.0.RELEASE, 4.1.130.Final, true",
    "6.6.0.RELEASE, 4.2.16.Final, true",
    "7.7.0.RELEASE, 4.1.130.Final, false",
    "7.7.0.RELEASE, 4.2.16.Final, true"
  })
  void lettuceSevenNeedsNettyFourPointTwo(String lettuce, String netty, boolean fits) {
    assertThat(LockkeeperProcessor.fits(lettuce, netty)).isEqualTo(fits);
  }
}
