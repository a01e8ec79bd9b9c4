package io.lockkeeper.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PortsTest {

  /** Of 1,000 that are only drawn at random, about fifty would come twice. */
  @Test
  void aPortIsNotGivenTwiceForALongTime() {
    assertThat(IntStream.range(0, 1_000).map(i -> Ports.free()).distinct().count())
        .isGreaterThanOrEqualTo(999); // those given before may be forgotten in between
  }
}
