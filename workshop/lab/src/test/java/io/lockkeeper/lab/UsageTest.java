package io.lockkeeper.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.lab.CommandRun.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UsageTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "none --users many            | '--users'.*'many' is not an int",
        "none --users                  | Missing required parameter for option '--users'",
        "none --orders -1              | '--orders'.*from 0 to 100000, was '-1'",
        "none --stock 99999999999999999999 | is not an int",
        "none --seed x                 | '--seed'",
        "none --store memory:x         | such as redis://localhost:6379",
        "none --json /no/such/x.js     | the folder of '/no/such/x.js' does not exist",
        "none --report /               | is a folder",
        "none --colour red             | Unknown option",
        "nothing                       | Unmatched argument",
        "none --users 0                | '--users'.*from 1 to 1000, was '0'",
        "none --database memory:x      | such as redis://",
        "\"\"                            | Which experiment",
      })
  void wrongInputIsAnsweredWithWhatIsRight(String arguments, String message) {
    Ended ended = CommandRun.of(arguments.isEmpty() ? new String[0] : arguments.split(" +"));

    assertThat(ended.status()).isEqualTo(ExitStatus.USAGE);
    assertThat(ended.err()).containsPattern(message).contains("--help");
    assertThat(ended.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "none --store memory://:hunter2@host",
    "none --stor redis://:hunter2@host:6379",
    "torture --stor redis://:hunter2@host:6379",
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
    assertThat(CommandRun.of("--help").out())
        .contains("torture", "Exit status:")
        .doesNotContain("worker");
  }
}
