package io.lockkeeper.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.Test;

class ScheduledJobsGuideTest {

  private static LockProvider lockProvider(Lockkeeper keeper) {
    return new LockkeeperLockProvider(keeper);
  }

  @Test
  void whatTheGuideShowsRuns() {
    try (Lockkeeper keeper = Lockkeeper.connect("memory:shedlock-guide")) {
      LockConfiguration job =
          new LockConfiguration(
              java.time.Instant.now(),
              "job",
              java.time.Duration.ofSeconds(10),
              java.time.Duration.ZERO);
      assertThat(lockProvider(keeper).lock(job)).isPresent();
    }
  }
}
