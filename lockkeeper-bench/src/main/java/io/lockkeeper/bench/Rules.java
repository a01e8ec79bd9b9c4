package io.lockkeeper.bench;

import java.nio.file.Path;
import java.util.stream.StreamSupport;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** What is allowed to get into documents. */
public final class Rules {

  private static final String DOCUMENTS = "docs";

  private Rules() {}

  /**
   * Refuses to write into the documents what is not worth quoting.
   *
   * @param why what is wrong with it; empty if nothing is
   */
  public static void checkOut(CommandSpec spec, Path out, String why) {
    if (!why.isEmpty() && isDocuments(out)) {
      throw new ParameterException(
          spec.commandLine(), "--out " + out + " is refused, documents get full runs only. " + why);
    }
  }

  /** Returns whether a folder is that of the documents, or in it. */
  static boolean isDocuments(Path folder) {
    return StreamSupport.stream(folder.toAbsolutePath().normalize().spliterator(), false)
        .anyMatch(part -> part.toString().equals(DOCUMENTS));
  }
}
