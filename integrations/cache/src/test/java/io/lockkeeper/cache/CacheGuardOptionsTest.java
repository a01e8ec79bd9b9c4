package io.lockkeeper.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CacheGuardOptionsTest {

  @Test
  void eachWithChangesACopy() {
    CacheGuardOptions defaults = CacheGuardOptions.defaults();
    CacheGuardOptions changed =
        defaults
            .withTimeToLive(Duration.ofSeconds(1))
            .withJitter(0.5)
            .withAbsentTimeToLive(Duration.ofSeconds(2))
            .withStaleTime(Duration.ofSeconds(3))
            .withLoadLease(Duration.ofSeconds(4))
            .withMaxWait(Duration.ofSeconds(5))
            .withLoadingWithoutLock(true);

    assertThat(changed.timeToLive()).hasSeconds(1);
    assertThat(changed.jitter()).isEqualTo(0.5);
    assertThat(changed.absentTimeToLive()).hasSeconds(2);
    assertThat(changed.staleTime()).hasSeconds(3);
    assertThat(changed.loadLease()).hasSeconds(4);
    assertThat(changed.maxWait()).hasSeconds(5);
    assertThat(changed.isLoadingWithoutLock()).isTrue();
    assertThat(changed).isNotEqualTo(defaults).hasToString(changed.toString());
    assertThat(defaults).isEqualTo(CacheGuardOptions.defaults().withJitter(0.1));
    assertThat(defaults.timeToLive()).hasMinutes(10);
  }

  @Test
  void whatIsOutOfRangeIsRefusedWithTheRange() {
    CacheGuardOptions options = CacheGuardOptions.defaults();
    Duration negative = Duration.ofMillis(-1);

    refuses(() -> options.withTimeToLive(Duration.ZERO), "timeToLive must be from 1ms");
    refuses(() -> options.withAbsentTimeToLive(negative), "absentTimeToLive must be from 0s");
    refuses(() -> options.withStaleTime(negative), "staleTime must be from 0s");
    refuses(() -> options.withLoadLease(Duration.ofMillis(49)), "loadLease must be from 50ms");
    refuses(() -> options.withMaxWait(negative), "maxWait must be from 0s");
    refuses(() -> options.withJitter(1), "jitter must be from 0 to 0.9, was 1.0");
    refuses(() -> options.withJitter(Double.NaN), "jitter must be from 0 to 0.9, was NaN");
  }

  private static void refuses(Runnable change, String why) {
    assertThatThrownBy(change::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(why);
  }
}
