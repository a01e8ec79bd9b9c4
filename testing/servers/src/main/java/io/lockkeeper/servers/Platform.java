package io.lockkeeper.servers;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The operating system and processor that this JVM runs on, and its programs. */
final class Platform {

  private Platform() {}

  /** Returns a name such as {@code linux-amd64}. */
  static String name() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    String system = os.startsWith("mac") ? "darwin" : os.startsWith("linux") ? "linux" : os;
    return switch (arch) {
      case "x86_64", "amd64" -> system + "-amd64";
      case "aarch64", "arm64" -> system + "-arm64";
      default -> system + "-" + arch;
    };
  }

  /** Returns the folders in which programs are looked for. */
  static List<Path> path() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .filter(folder -> !folder.isEmpty())
        .map(Path::of)
        .toList();
  }
}
