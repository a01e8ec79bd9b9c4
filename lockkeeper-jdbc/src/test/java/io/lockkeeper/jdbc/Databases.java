package io.lockkeeper.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The databases that the tests of one process share. */
final class Databases {

  private static final Path FOLDER = folder();

  private Databases() {}

  private static Path folder() {
    try {
      Path folder = Files.createTempDirectory("lockkeeper-jdbc-test");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) {
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException ignored) {
      // A temporary folder that stays is no harm.
    }
  }

  /** Returns a URL of the SQLite file of this name. */
  static String sqlite(String name) {
    return "jdbc:sqlite:" + FOLDER.resolve(name + ".db");
  }
}
