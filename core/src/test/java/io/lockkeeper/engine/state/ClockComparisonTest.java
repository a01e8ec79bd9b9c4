package io.lockkeeper.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClockComparisonTest {

  private static final long ASKED = 10_000_000_000L;
  private static final long BORN = 1_000_000_000L;
  private static final long NOW = 11_000_000_000L;

  private final ClockComparison clocks = new ClockComparison();

  @Test
  void aDecisionAfterTheLastAnswerIsAsMuchLater() {
    clocks.read(5_000_000, ASKED);

    assertThat(clocks.earliest(5_500_000, BORN, NOW))
        .isBetween(ASKED + 480_000_000, ASKED + 500_000_000);
  }

  /** It was decided, and written down only after the answer, which did not show it. */
  @Test
  void aDecisionALittleBeforeTheLastAnswerDoesNotCostTheWholeWait() {
    clocks.read(5_000_000, ASKED);

    assertThat(clocks.earliest(4_990_000, BORN, NOW))
        .isBetween(ASKED - 11_000_000, ASKED - 10_000_000);
  }

  @Test
  void noDecisionIsEarlierThanItsClaimOrLaterThanNow() {
    clocks.read(5_000_000, ASKED);

    assertThat(clocks.earliest(-60_000_000, BORN, NOW)).isEqualTo(BORN);
    assertThat(clocks.earliest(65_000_000, BORN, NOW)).isEqualTo(NOW);
  }

  @Test
  void withoutAnAnswerTheClaimIsTheMeasure() {
    assertThat(clocks.earliest(5_000_000, BORN, NOW)).isEqualTo(BORN);
  }
}
