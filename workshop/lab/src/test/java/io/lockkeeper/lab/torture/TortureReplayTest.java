package io.lockkeeper.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.lab.CommandRun;
import io.lockkeeper.lab.CommandRun.Ended;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a broken promise prints, and what that is good for. */
@Tag("full")
class TortureReplayTest {

  private static final Pattern AGAIN = Pattern.compile("(?m)^again: +lockkeeper (.*)$");
  private static final Pattern BROKEN = Pattern.compile("(?m)^(\\w+) broken on");

  @TempDir Path folder;

  @Test
  void theCommandThatIsPrintedBreaksThePromiseAgain() {
    String[] arguments =
        "--store divided:memory:replay --minutes 0.1 --processes 2 --faults none --kinds lock --names 1"
            .split(" ");

    Ended first = torture(arguments);
    MatchResult again = AGAIN.matcher(first.out()).results().findFirst().orElseThrow();
    Ended second = CommandRun.of(again.group(1).split(" ", -1));

    assertThat(first.status()).as(first.out() + first.err()).isEqualTo(ExitStatus.FAILED);
    assertThat(again.group(1)).matches(".* --seed \\d+");
    assertThat(second.status()).as(second.out() + second.err()).isEqualTo(ExitStatus.FAILED);
    assertThat(broken(second)).isEqualTo(broken(first)).isEqualTo("X1");
  }

  private Ended torture(String... more) {
    String[] arguments = new String[more.length + 3];
    arguments[0] = "torture";
    System.arraycopy(more, 0, arguments, 1, more.length);
    arguments[more.length + 1] = "--report";
    arguments[more.length + 2] = folder.resolve("report.txt").toString();
    return CommandRun.of(arguments);
  }

  private static String broken(Ended ended) {
    return BROKEN.matcher(ended.out()).results().findFirst().orElseThrow().group(1);
  }
}
