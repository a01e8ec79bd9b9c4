package io.lockkeeper.cli.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.cli.Main;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class PlainExecTest {

  private static final List<String> PLAIN =
      List.of(
          "exec a -- true",
          "exec a -- sh -c x --fair -- y",
          "exec a=b -- true a=b",
          "exec --wait 0 a -- true",
          "exec a --wait=1.5m -- true",
          "exec --lease 5s --store redis://localhost a -- true",
          "exec --store=redis://localhost/?a=b&c=d a -- true",
          "exec --store-file /etc/store --namespace jobs a -- true",
          "exec --fair -v a -- true",
          "exec --shared --verbose a -- true",
          "exec --exclusive a -- true",
          "exec --fair --shared a -- true",
          "exec --permits 1/3 a -- true",
          "exec --on-lost KILL --grace 1s a -- true",
          "exec --on-lost ignore --conflict-exit-code 0 a -- true");

  private static String[] words(String line) {
    return line.split(" ");
  }

  private static CommandLine exec(CommandLine all) {
    return all.getSubcommands().get("exec");
  }

  @Test
  void aPlainLineIsReadAsPicocliReadsIt() {
    for (String line : PLAIN) {
      ExecCommand plain = PlainExec.read(words(line));

      CommandLine picocli = Main.commandLine();
      picocli.parseArgs(words(line));
      assertThat(plain)
          .as(line)
          .usingRecursiveComparison()
          .ignoringFieldsMatchingRegexes(".*\\bspec")
          .isEqualTo(exec(picocli).getCommand());
    }
  }

  @Test
  void everyOptionIsTriedInAPlainLine() {
    Set<String> options = new TreeSet<>();
    exec(Main.commandLine())
        .getCommandSpec()
        .options()
        .forEach(option -> options.add(option.longestName()));
    options.removeAll(Set.of("--help", "--version"));

    assertThat(PLAIN.stream().flatMap(line -> Stream.of(line.split("[ =]")))).containsAll(options);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "list",
        "exec",
        "exec --help",
        "exec a",
        "exec a true",
        "exec a --",
        "exec -- true",
        "exec a b -- true",
        "exec --unknown a -- true",
        "exec --wait -- true",
        "exec --wait --fair a -- true",
        "exec --wait= a -- true",
        "exec --wait soon a -- true",
        "exec --wait 1 --wait 2 a -- true",
        "exec --fair --fair a -- true",
        "exec -v --verbose a -- true",
        "exec --fair=true a -- true",
        "exec --lease 1ms a -- true",
        "exec --permits 3/1 a -- true",
        "exec --on-lost no a -- true",
        "exec --conflict-exit-code 256 a -- true",
        "exec --store redis://a --store-file b a -- true",
        "exec --namespace \"a\" a -- true"
      })
  void anythingElseIsLeftToPicocli(String line) {
    assertThat(PlainExec.read(line.isEmpty() ? new String[0] : words(line))).isNull();
  }
}
