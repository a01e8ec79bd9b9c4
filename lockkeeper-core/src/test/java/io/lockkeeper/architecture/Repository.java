package io.lockkeeper.architecture;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the sources are. */
final class Repository {

  /** The folder with the parent pom and all modules. */
  static final Path ROOT = root();

  private Repository() {}

  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve("lockkeeper-core"))) {
      folder = folder.getParent();
      if (folder == null) {
        throw new IllegalStateException("these tests run inside the source tree");
      }
    }
    return folder;
  }
}
