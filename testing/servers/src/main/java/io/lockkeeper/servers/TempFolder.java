package io.lockkeeper.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Folders that are deleted with all they contain. */
final class TempFolder {

  /** The file system that Linux keeps in memory. */
  private static final Path MEMORY = Path.of("/dev/shm");

  private static final long LEAST_MEMORY = 2L << 30;

  private TempFolder() {}

  static Path create(String prefix) {
    try {
      return Files.createTempDirectory(prefix);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Creates a folder in memory if there is a file system for that with enough room. */
  static Path createInMemory(String prefix) {
    if (!Files.isWritable(MEMORY) || MEMORY.toFile().getUsableSpace() < LEAST_MEMORY) {
      return create(prefix);
    }
    try {
      return Files.createTempDirectory(MEMORY, prefix);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes {@code folder} as far as that is possible. */
  static void delete(Path folder) {
    for (Path path : contents(folder)) {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        // A leftover in the system's temp folder is not worth failing for.
      }
    }
  }

  private static List<Path> contents(Path folder) {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.sorted(Comparator.reverseOrder()).toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of();
    }
  }
}
