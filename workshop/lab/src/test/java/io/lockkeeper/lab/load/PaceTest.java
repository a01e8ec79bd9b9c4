package io.lockkeeper.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A thread that is kept to a rate, in time that only the test moves. */
class PaceTest {

  private static final long SECOND = 1_000_000_000;

  /** The clock may be negative. */
  private static final long START = -10 * SECOND + 300_000_000;

  private static int begun(Pace pace, long nowNanos) {
    int count = 0;
    while (pace.waitNanos(nowNanos) == 0) {
      count++;
    }
    return count;
  }

  @Test
  void itBeginsItsShareOfEachSecondAtOnceAndWaitsForTheNext() {
    Pace pace = new Pace(5, START);

    assertThat(begun(pace, START)).isEqualTo(5);
    assertThat(pace.waitNanos(START)).isEqualTo(SECOND - 300_000_000);
    assertThat(begun(pace, START + SECOND)).isEqualTo(5);
  }

  @Test
  void whatWasNotUsedUpIsKept() {
    Pace pace = new Pace(5, START);

    assertThat(begun(pace, START + 9 * SECOND)).isEqualTo(50);
  }

  @Test
  void aRateMayBeLessThanOneASecond() {
    Pace pace = new Pace(0.25, START);
    int total = 0;
    for (int second = 0; second < 100; second++) {
      total += begun(pace, START + second * SECOND);
    }

    assertThat(total).isEqualTo(25);
  }
}
