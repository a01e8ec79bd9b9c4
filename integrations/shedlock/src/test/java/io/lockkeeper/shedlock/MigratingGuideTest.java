package io.lockkeeper.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;

/** A scheduler that moves from another provider to ours, as the guide shows it. */
class MigratingGuideTest {

  static LockProvider both(LockProvider before, LockProvider now) {
    return job -> {
      Optional<SimpleLock> old = before.lock(job);
      if (old.isEmpty()) {
        return old;
      }
      Optional<SimpleLock> lock = now.lock(job);
      if (lock.isEmpty()) {
        old.get().unlock();
        return lock;
      }
      return Optional.of(
          () -> {
            try {
              lock.get().unlock();
            } finally {
              old.get().unlock();
            }
          });
    };
  }

  private static LockConfiguration job() {
    return new LockConfiguration(Instant.now(), "job", Duration.ofSeconds(10), Duration.ZERO);
  }

  @Test
  void whoHasBothIsKeptOutByEither() {
    try (Lockkeeper one = Lockkeeper.connect("memory:shedlock-before");
        Lockkeeper other = Lockkeeper.connect("memory:shedlock-now")) {
      LockProvider before = new LockkeeperLockProvider(one);
      LockProvider now = new LockkeeperLockProvider(other);
      LockProvider both = both(before, now);

      SimpleLock held = both.lock(job()).orElseThrow();
      assertThat(before.lock(job())).isEmpty();
      assertThat(now.lock(job())).isEmpty();
      held.unlock();

      SimpleLock old = before.lock(job()).orElseThrow();
      assertThat(both.lock(job())).isEmpty();
      old.unlock();

      SimpleLock latest = now.lock(job()).orElseThrow();
      assertThat(both.lock(job())).isEmpty();
      latest.unlock();
      assertThat(both.lock(job())).isPresent();
    }
  }
}
