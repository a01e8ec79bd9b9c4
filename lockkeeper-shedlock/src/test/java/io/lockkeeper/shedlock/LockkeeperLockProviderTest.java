package io.lockkeeper.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.HolderReport;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;

/** What ShedLock's own kit for providers lacks. */
class LockkeeperLockProviderTest {

  private static LockConfiguration job(Duration atMost, Duration atLeast) {
    return new LockConfiguration(Instant.now(), "job", atMost, atLeast);
  }

  @Test
  void anExpiredHolderTouchesNobodyElse() throws Exception {
    try (Lockkeeper keeper = Lockkeeper.connect("memory:shedlock-expired")) {
      LockkeeperLockProvider provider = new LockkeeperLockProvider(keeper, "x:");
      SimpleLock first = provider.lock(job(Duration.ofMillis(100), Duration.ZERO)).orElseThrow();
      try (Lease second = keeper.lock("x:job").acquire()) {
        assertThat(first.extend(Duration.ofSeconds(10), Duration.ZERO)).isEmpty();
        assertThat(second.isValid()).isTrue();
      }
      SimpleLock third = provider.lock(job(Duration.ofMillis(100), Duration.ZERO)).orElseThrow();
      try (Lease fourth = keeper.lock("x:job").acquire()) {
        third.unlock();
        assertThat(keeper.lock("x:job").isLocked()).isTrue();
        assertThat(fourth.isValid()).isTrue();
      }
    }
  }

  @Test
  void atLeastOutlastsTheClientAndEndsByItself() {
    try (Lockkeeper keeper = Lockkeeper.connect("memory:shedlock-at-least")) {
      LockkeeperLockProvider provider = new LockkeeperLockProvider(keeper);
      Lockkeeper first = Lockkeeper.connect("memory:shedlock-at-least");
      SimpleLock job =
          new LockkeeperLockProvider(first)
              .lock(job(Duration.ofSeconds(30), Duration.ofSeconds(5)))
              .orElseThrow();
      job.unlock();
      first.close();

      assertThat(provider.lock(job(Duration.ofSeconds(1), Duration.ZERO))).isEmpty();
      assertThat(keeper.inspect(ResourceKind.LOCK, "job").holders())
          .singleElement()
          .matches(HolderReport::resting);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> provider.lock(job(Duration.ofSeconds(1), Duration.ZERO)).isPresent());
    }
  }

  @Test
  void moreThanADayIsRefused() {
    try (Lockkeeper keeper = Lockkeeper.connect("memory:shedlock-day")) {
      assertThatThrownBy(
              () ->
                  new LockkeeperLockProvider(keeper).lock(job(Duration.ofHours(25), Duration.ZERO)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
