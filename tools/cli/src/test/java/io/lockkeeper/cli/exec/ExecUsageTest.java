package io.lockkeeper.cli.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.cli.CommandRun;
import io.lockkeeper.cli.CommandRun.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExecUsageTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "exec                                  | Missing required parameters: 'NAME', 'COMMAND'",
        "exec x                                | Missing required parameter: 'COMMAND'",
        "exec --wait soon x -- true            | must be a duration with a unit, such as 500ms",
        "exec --wait -1 x -- true              | must be a duration with a unit",
        "exec --lease 10ms x -- true           | must be from 50ms to 24h, was '10ms'",
        "exec --permits 3/2 x -- true          | N permits of M, such as 1/3; was '3/2'",
        "exec --permits 0/2 x -- true          | N permits of M",
        "exec --permits 2 x -- true            | N permits of M",
        "exec --on-lost cry x -- true          | 'cry'",
        "exec --conflict-exit-code 256 x -- true | from 0 to 255, was '256'",
        "exec --shared --fair x -- true        | Only one of --fair, --shared, --exclusive",
        "exec --store nowhere x -- true        | begins with a scheme",
        "exec --store nosuch:x x -- true       | no store knows the URL scheme 'nosuch'",
        "exec --store memory:x x -- true       | a store in memory is of one process",
        "exec --store memory:x --store-file f x -- true | give only one",
        "exec --colour red x -- true           | Unknown option",
      })
  void wrongInputIsAnsweredWithWhatIsRightAndAStatusOfItsOwn(String arguments, String message) {
    Ended ended = CommandRun.of(arguments.split(" +"));

    assertThat(ended.status()).isEqualTo(ExecStatus.USAGE);
    assertThat(ended.err()).contains(message, "--help");
  }

  @Test
  void aBadNameIsRefused() {
    Ended ended =
        CommandRun.of("exec", "--store", "jdbc:sqlite:target/usage.db", "a\nb", "--", "true");

    assertThat(ended.status()).isEqualTo(ExecStatus.USAGE);
    assertThat(ended.err()).contains("control characters");
  }

  @Test
  void aCommandThatIsNotThereIsToldBeforeTheStoreIsAsked() {
    Ended ended = CommandRun.of("exec", "--store", "redis://127.0.0.1:1", "x", "--", "no-such-cmd");

    assertThat(ended.status()).isEqualTo(ExecStatus.NOT_FOUND);
    assertThat(ended.err()).contains("no-such-cmd");
  }

  @Test
  void aFileWithoutAUrlIsSaid() {
    Ended absent = CommandRun.of("exec", "--store-file", "/no/such/file", "x", "--", "true");
    Ended empty = CommandRun.of("exec", "--store-file", "/dev/null", "x", "--", "true");

    assertThat(absent.status()).isEqualTo(ExecStatus.STORE);
    assertThat(absent.err()).contains("/no/such/file");
    assertThat(empty.err()).contains("no URL in the first line of /dev/null");
  }

  @Test
  void aFolderIsNoCommand() {
    Ended ended = CommandRun.of("exec", "--store", "redis://127.0.0.1:1", "x", "--", "/");

    assertThat(ended.status()).isEqualTo(ExecStatus.CANNOT_EXECUTE);
  }

  @Test
  void theForegroundIsReadOffTheLineOfTheProcess() {
    assertThat(Foreground.isForeground("7 (a) b) S 1 70 60 34816 70 4194304")).isTrue();
    assertThat(Foreground.isForeground("7 (java) S 1 70 60 34816 71 4194304")).isFalse();
    assertThat(Foreground.isForeground("7 (java) S 1 70 60 0 -1 4194304")).isFalse();
    assertThat(Foreground.isForeground("")).isFalse();
  }

  @Test
  void theHelpHasTheStatuses() {
    assertThat(CommandRun.of("exec", "--help").out()).contains("75", "76", "LOCKKEEPER_TOKEN");
  }
}
