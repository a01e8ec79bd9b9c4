package io.lockkeeper.lab.process;

import io.lockkeeper.cli.console.CannotRunException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders and files of the run. */
public final class Folders {

  private Folders() {}

  /**
   * Makes one for a while.
   *
   * @throws CannotRunException if that is not possible
   */
  public static Path temporary(String prefix) {
    try {
      return Files.createTempDirectory(prefix);
    } catch (IOException e) {
      throw new CannotRunException("no temporary folder: " + e.getMessage(), e);
    }
  }

  public static void delete(Path folder) {
    try (Stream<Path> paths = Files.walk(folder)) {
      List<Path> contents = paths.sorted(Comparator.reverseOrder()).toList();
      for (Path path : contents) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes a file.
   *
   * @throws CannotRunException if that is not possible
   */
  public static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new CannotRunException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }
}
