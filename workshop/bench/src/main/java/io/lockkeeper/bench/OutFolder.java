package io.lockkeeper.bench;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The folder that a command writes its page into, and what the page says of the command. */
final class OutFolder {

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description =
          "gets the page, and a folder of its name with the results (default: ${DEFAULT-VALUE})")
  private Path path = Path.of("workshop/bench/target");

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  Path path() {
    return path;
  }

  String commandLine() {
    return command == null
        ? ""
        : "workshop/bench/run "
            + String.join(" ", command.root().commandLine().getParseResult().originalArgs());
  }
}
