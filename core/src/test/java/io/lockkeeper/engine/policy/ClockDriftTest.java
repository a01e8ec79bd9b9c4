package io.lockkeeper.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClockDriftTest {

  @Test
  void aLeaseEndsHereOnePercentAndTwoMillisecondsBeforeItEndsAtTheStore() {
    long lease = Duration.ofSeconds(30).toNanos();

    assertThat(ClockDrift.validUntil(1_000, lease))
        .isEqualTo(1_000 + lease - Duration.ofMillis(302).toNanos());
  }

  @ParameterizedTest
  @ValueSource(longs = {50, 51, 100, 1_000, 30_000, 86_400_000})
  void everyLeaseThatCanBeAskedForLeavesSomethingToUse(long leaseMillis) {
    long lease = Duration.ofMillis(leaseMillis).toNanos();

    assertThat(ClockDrift.validUntil(0, lease)).isBetween(lease * 9 / 10, lease - 2_000_000);
  }

  @Test
  void driftIsOnePercent() {
    assertThat(ClockDrift.drift(1_000)).isEqualTo(10);
  }
}
