package io.lockkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.cli.CommandRun.Ended;
import io.lockkeeper.cli.console.ExitStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UsageTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "lst  | Did you mean: lockkeeper list",
        "list --colour red | Unknown option",
        "--store memory:a list | Options come after the command",
        "\"\" | Which command",
      })
  void wrongInputIsAnsweredWithWhatIsRight(String arguments, String message) {
    Ended ended = CommandRun.of(arguments.isEmpty() ? new String[0] : arguments.split(" +"));

    assertThat(ended.status()).isEqualTo(ExitStatus.USAGE);
    assertThat(ended.err()).containsPattern(message).contains("--help");
    assertThat(ended.out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "list --store redis://:hunter2@host:notaport",
        "list --stor redis://:hunter2@host:6379",
        "list redis://:hunter2@host:6379"
      })
  void passwordsAreNotRepeated(String arguments) {
    Ended ended = CommandRun.of(arguments.split(" "));

    assertThat(ended.status()).isEqualTo(ExitStatus.USAGE);
    assertThat(ended.err()).doesNotContain("hunter2");
  }

  @Test
  void theVersionIsTheBuilds() {
    assertThat(CommandRun.of("--version").out()).matches("lockkeeper \\d+\\.\\d+\\.\\d+.*\\R");
  }

  @Test
  void helpListsTheCommandsForPeople() {
    assertThat(CommandRun.of("--help").out()).contains("exec").doesNotContain("warm-up");
    assertThat(CommandRun.of("exec", "--help").out()).contains("Exit status:");
  }

  @Test
  void shellsCanCompleteCommandsAndOptions() {
    assertThat(CommandRun.of("generate-completion").out())
        .contains("exec", "--conflict-exit-code", "doctor");
  }
}
