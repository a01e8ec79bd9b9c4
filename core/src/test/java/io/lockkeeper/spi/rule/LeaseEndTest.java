package io.lockkeeper.spi.rule;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaseEndTest {

  private static final long NOW = 1_000;
  private static final long GIVEN = 300;

  @ParameterizedTest
  @CsvSource({"1, 1300", "250, 1300", "300, 1300", "301, 1301", "900, 1900"})
  void aRenewalThatKnowsTheEndPutsItOffOrLeavesIt(long leaseMicros, long endMicros) {
    LeaseEnd end = LeaseEnd.after(NOW, GIVEN);

    assertThat(end.extended(NOW, leaseMicros).micros()).isEqualTo(endMicros);
  }

  @ParameterizedTest
  @CsvSource({"1, 1300", "200, 1300", "201, 1301", "300, 1301", "301, 1301", "900, 1900"})
  void aRenewalThatDoesNotKnowTheEndSetsOneThatIsNotBefore(long leaseMicros, long endMicros) {
    LeaseEnd end = new LeaseEnd(NOW + GIVEN, GIVEN, NOW + 200);

    assertThat(end.extended(NOW, leaseMicros).micros()).isEqualTo(endMicros);
  }

  @Test
  void aRenewalThatKnowsNothingOfTheEndSetsOneThatIsNotBefore() {
    LeaseEnd end = new LeaseEnd(NOW + GIVEN, GIVEN, Long.MIN_VALUE / 2_048);

    assertThat(end.extended(NOW, 1)).isEqualTo(LeaseEnd.after(NOW, GIVEN + 1));
  }
}
