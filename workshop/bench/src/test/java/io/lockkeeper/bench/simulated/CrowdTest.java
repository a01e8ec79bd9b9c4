package io.lockkeeper.bench.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CrowdTest {

  private static Outcome run(Crowd.Wish wish, long seed) {
    return new Crowd(50, wish, 250, seed).run();
  }

  @Test
  void aSeedRepeatsACrowdExactly() {
    Crowd.Wish wish = new Crowd.Wish(1_000, 2, 0.5, false, 5, 10, 5);

    assertThat(run(wish, 7)).isEqualTo(run(wish, 7)).isNotEqualTo(run(wish, 8));
  }

  @Test
  void whoMeetsNobodyNeedsARequestToAcquireAndOneToReleaseAndWaitsForOneRoundTrip() {
    Outcome outcome = run(new Crowd.Wish(1_000_000, 0, 0, false, 5, 100, 1), 1);

    assertThat(outcome.acquisitions()).isEqualTo(250);
    assertThat(outcome.allRequests()).isBetween(2.0, 3.0);
    assertThat(outcome.pushes()).isLessThan(0.1);
    assertThat(outcome.p50Micros()).isBetween(500.0, 1_000.0);
  }

  @Test
  void theLastOfACrowdThatWantsOneLockWaitsForAllTheOthers() {
    Outcome outcome = run(new Crowd.Wish(1, 0, 0, true, 1, 0, 1), 1);

    assertThat(outcome.acquisitions()).isEqualTo(50);
    assertThat(outcome.maxMicros()).isBetween(50_000.0, 200_000.0);
  }
}
