package io.lockkeeper.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.cli.CommandRun;
import io.lockkeeper.cli.CommandRun.Ended;
import io.lockkeeper.cli.console.ExitStatus;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CleanTest {

  @TempDir private Path folder;

  @Test
  void whatNobodyUsesIsCountedAndThenDeletedAndWhatIsHeldStays() throws Exception {
    String url = "jdbc:sqlite:" + folder.resolve("locks.db");
    try (Lockkeeper user = Lockkeeper.connect(url)) {
      for (int i = 0; i < 20; i++) {
        user.lock("order-" + i).acquire().release();
      }
    }
    try (Lockkeeper keeper = Lockkeeper.connect(url)) {
      Lease held = keeper.lock("held").acquire();

      Ended young = CommandRun.of("clean", "--store", url);
      Ended trial = CommandRun.of("clean", "--store", url, "--older-than", "0", "--dry-run");
      Ended cleaned = CommandRun.of("clean", "--store", url, "--older-than", "0");
      Ended again = CommandRun.of("clean", "--store", url, "--older-than", "0");

      assertThat(young.status()).as(young.err()).isEqualTo(ExitStatus.OK);
      assertThat(young.out()).containsPattern("WHAT +DELETED").containsPattern("names +0");
      assertThat(trial.out()).containsPattern("WHAT +WOULD GO").containsPattern("names +20");
      assertThat(cleaned.out()).containsPattern("names +20");
      assertThat(again.out()).containsPattern("names +0");
      assertThat(held.isValid()).isTrue();
      assertThat(keeper.lock("held").isLocked()).isTrue();
      held.release();
    }
  }

  @Test
  void aStoreThatForgetsByItselfIsSaidToNeedNoCleaning() {
    Ended ended = CommandRun.of("clean", "--store", "memory:clean");

    assertThat(ended.status()).isEqualTo(ExitStatus.OK);
    assertThat(ended.out()).contains("nothing to clean");
  }

  @Test
  void aStoreOutOfReachAndAWrongCommandLineHaveTheirOwnStatus() {
    Ended away = CommandRun.of("clean", "--store", "jdbc:sqlite:/not/there/locks.db");
    Ended unknown = CommandRun.of("clean", "--store", "nosuch://host");
    Ended wrong = CommandRun.of("clean", "--older-than", "soon");

    assertThat(away.status()).isEqualTo(ExitStatus.CANNOT_RUN);
    assertThat(away.err()).contains("/not/there");
    assertThat(unknown.status()).isEqualTo(ExitStatus.USAGE);
    assertThat(wrong.status()).isEqualTo(ExitStatus.USAGE);
    assertThat(CommandRun.of("clean", "--help").out()).contains("Exit status:");
  }
}
