package io.lockkeeper.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.Test;

class ScheduledJobsGuideTest {

  private static LockProvider lockProvider(Lockkeeper keeper) {
    return new LockkeeperLockProvider(keeper);
  }

  @Test
  void whatTheGuideShowsIsCompiled() throws IOException {
    assertThat(Files.readString(Path.of("../docs/guide/scheduled-jobs.md")))
        .contains(
            "LockProvider lockProvider(Lockkeeper keeper) {\n"
                + "  return new LockkeeperLockProvider(keeper);");
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
