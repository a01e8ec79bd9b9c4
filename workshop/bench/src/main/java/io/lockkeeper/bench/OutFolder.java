package io.lockkeeper.bench;

import java.nio.file.Path;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The folder that a command writes its page into, and what the page says of the command. */
public final class OutFolder {

  private static final String DOCUMENTS = "docs";

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description =
          "gets the page, and a folder of its name with the results (default: ${DEFAULT-VALUE})")
  private Path path = Path.of("workshop/bench/target");

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  /** Returns the folder. */
  public Path path() {
    return path;
  }

  /**
   * Returns the folder, unless it is that of the documents and the results are not worth quoting.
   *
   * @param why what is wrong with them; empty if nothing is
   */
  public Path pathFor(String why) {
    if (!why.isEmpty() && isDocuments(path) && command != null) {
      throw new ParameterException(
          command.commandLine(),
          "--out " + path + " is refused, documents get full runs only. " + why);
    }
    return path;
  }

  /** Returns the command line, for the record. */
  public String commandLine() {
    return command == null
        ? ""
        : "workshop/bench/run "
            + String.join(" ", command.root().commandLine().getParseResult().originalArgs());
  }

  /** Returns whether a folder is that of the documents, or in it. */
  static boolean isDocuments(Path folder) {
    return StreamSupport.stream(folder.toAbsolutePath().normalize().spliterator(), false)
        .anyMatch(part -> part.toString().equals(DOCUMENTS));
  }
}
