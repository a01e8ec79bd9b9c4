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
        "oversell --processes 0        | '--processes'.*must be a whole number from 1 to 64, was '0'",
        "oversell --processes 65       | from 1 to 64, was '65'",
        "oversell --threads many       | '--threads'.*from 1 to 1000, was 'many'",
        "oversell --threads            | Missing required parameter for option '--threads'",
        "oversell --orders -1          | '--orders'.*from 1 to 100000, was '-1'",
        "oversell --stock 0            | '--stock'.*from 1 to 1000000000, was '0'",
        "oversell --stock 99999999999999999999 | from 1 to 1000000000",
        "oversell --warm-up 61         | '--warm-up'.*from 0 to 60, was '61'",
        "oversell --seed x             | '--seed'",
        "oversell --variant redlock    | must be one of none, setnx, watch, .*, lock, fairLock, jvm, was 'redlock'",
        "oversell --store memory:x     | such as redis://localhost:6379, rediss:// or redis-sentinel://, .*, was 'memory:x'",
        "oversell --store localhost    | must be one of redis, .*, mysql, .*, or a URL such as redis://localhost:6379, was 'localhost'",
        "oversell --store redis://     | '' cannot be read as a host",
        "oversell --store redis://h:x  | the host cannot be read as a host",
        "oversell --store redis://h?color=red  | unknown parameter color",
        "oversell --store redis://h1,h2 | must be of one server or of Sentinels, not of a cluster",
        "oversell --store redis-sentinel://h | needs the name under which the Sentinels know",
        "oversell --variant version    | version is not for Redis, but one of none, setnx, watch, lock",
        "oversell --all --store redis://h | --all starts its own stores: leave out --store",
        "oversell --json /no/such/x.js | the folder of '/no/such/x.js' does not exist",
        "oversell --html /             | is a folder",
        "oversell --colour red         | Unknown option",
        "oversell please               | Unmatched argument",
        "overselll                     | Did you mean: lockkeeper oversell",
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
    "oversell --store memory://:hunter2@host",
    "oversell redis://:hunter2@host:6379",
    "oversell --stor redis://:hunter2@host:6379",
    "oversell --store redis://:hunter2@host:notaport",
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
    assertThat(CommandRun.of("--help").out()).contains("oversell").doesNotContain("worker");
    assertThat(CommandRun.of("oversell", "--help").out()).contains("Exit status:");
  }
}
