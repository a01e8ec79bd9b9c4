package io.lockkeeper.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Where the sources are. */
final class Repository {

  /** The folder with the parent pom and all modules. */
  static final Path ROOT = root();

  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

  /** The module's own: what belongs to its parent or to dependencies is further inside. */
  private static final Pattern ARTIFACT =
      Pattern.compile("(?m)^  <artifactId>([^<]+)</artifactId>");

  private Repository() {}

  /** Returns the folders of the modules, such as {@code stores/redis}. */
  static List<String> modules() throws IOException {
    return MODULE.matcher(pom("")).results().map(found -> found.group(1)).toList();
  }

  /** Returns the pom of a module, by its folder; that of all for the empty one. */
  static String pom(String module) throws IOException {
    return Files.readString(ROOT.resolve(module).resolve("pom.xml"));
  }

  /** Returns the name under which others depend on a module, such as {@code lockkeeper-redis}. */
  static String artifact(String module) throws IOException {
    return ARTIFACT
        .matcher(pom(module))
        .results()
        .map(found -> found.group(1))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(module + " has no name"));
  }

  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve(".mvn"))) {
      folder = folder.getParent();
      if (folder == null) {
        throw new IllegalStateException("these tests run inside the source tree");
      }
    }
    return folder;
  }
}
