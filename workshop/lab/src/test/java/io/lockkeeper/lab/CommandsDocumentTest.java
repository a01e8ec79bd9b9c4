package io.lockkeeper.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The commands that the documents show exist, with their options. */
class CommandsDocumentTest {

  private static final Path ROOT = Path.of("..", "..");
  private static final Pattern CALL = Pattern.compile("\\./lockkeeper ([a-z][a-z-]*)([^\\n`#]*)");
  private static final Pattern OPTION = Pattern.compile("(?<= )\\[?(--[a-z][a-z-]*)");

  private static final Map<String, CommandLine> COMMANDS = commands();

  private static Map<String, CommandLine> commands() {
    Map<String, CommandLine> all = new HashMap<>();
    all.putAll(io.lockkeeper.cli.Main.commandLine().getSubcommands());
    all.putAll(Main.commandLine().getSubcommands());
    all.put("lab", Main.commandLine());
    all.put("oversell", Main.commandLine()); // the script names its scenes
    return all;
  }

  @Test
  void everyCommandInTheDocumentsExists() throws IOException {
    Set<String> wrong = new TreeSet<>();
    int seen = 0;
    for (Path document : documents()) {
      for (MatchResult call : CALL.matcher(Files.readString(document)).results().toList()) {
        seen++;
        String mistake = mistake(call.group(1), call.group(2).replaceFirst(" -- .*", ""));
        if (mistake != null) {
          wrong.add(document.getFileName() + ": " + mistake);
        }
      }
    }

    assertThat(wrong).isEmpty();
    assertThat(seen).isGreaterThan(20);
  }

  @Test
  void everyCommandIsInItsDocument() throws IOException {
    String page = Files.readString(ROOT.resolve("docs").resolve("cli.md"));

    assertThat(COMMANDS.values().stream().map(CommandLine::getCommandSpec))
        .filteredOn(command -> !command.usageMessage().hidden())
        .extracting(CommandSpec::name)
        .isNotEmpty()
        .allSatisfy(name -> assertThat(page).contains(name));
  }

  /** The help of {@code ./lockkeeper} is the distribution's, and the script adds these. */
  @Test
  void everyExperimentIsInTheHelpOfTheScript() throws IOException {
    String script = Files.readString(ROOT.resolve("lockkeeper"));

    assertThat(Main.commandLine().getSubcommands().values().stream())
        .extracting(CommandLine::getCommandSpec)
        .filteredOn(command -> !command.usageMessage().hidden())
        .extracting(CommandSpec::name)
        .isNotEmpty()
        .allSatisfy(name -> assertThat(script).containsPattern("\"  " + name + " +[A-Z].*\\.\""));
    assertThat(Main.commandLine().getUsageMessage()).startsWith("Usage: lockkeeper lab ");
  }

  private static @Nullable String mistake(String command, String arguments) {
    if (!COMMANDS.containsKey(command)) {
      return command;
    }
    Matcher option = OPTION.matcher(arguments);
    while (option.find()) {
      if (!COMMANDS.get(command).getCommandSpec().optionsMap().containsKey(option.group(1))) {
        return command + " " + option.group(1);
      }
    }
    return null;
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> files =
        Files.find(
            ROOT,
            4,
            (file, attributes) ->
                file.toString().endsWith(".md")
                    && !file.toString().matches(".*/(target|node_modules)/.*"))) {
      return files.toList();
    }
  }
}
