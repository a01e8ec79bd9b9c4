package io.lockkeeper.servers;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where PostgreSQL is. */
final class PostgresBinaries extends SqlBinaries {

  private static final Path DEBIAN = Path.of("/usr/lib/postgresql");

  /** The archives in the artifacts with PostgreSQL's binaries, by system and architecture. */
  private static final Map<String, String> ARCHIVES =
      Map.of(
          "linux-amd64", "/postgres-linux-x86_64.txz",
          "linux-arm64", "/postgres-linux-arm_64.txz");

  /** The folder of the unpacked archive is named after the version of its artifact. */
  private static final String FOLDER = "postgresql-18.6.0";

  PostgresBinaries() {
    super("PostgreSQL", Pattern.compile("(\\d+\\.\\d+)"));
  }

  @Override
  Stream<Path> installed() {
    return programs("postgres", debianFolders());
  }

  /** The newest first. */
  private static List<Path> debianFolders() {
    try (Stream<Path> versions = Files.list(DEBIAN)) {
      return versions
          .filter(version -> version.getFileName().toString().matches("\\d+"))
          .sorted(
              Comparator.comparing(
                      (Path version) -> Integer.parseInt(version.getFileName().toString()))
                  .reversed())
          .map(version -> version.resolve("bin"))
          .toList();
    } catch (IOException notDebian) {
      return List.of();
    }
  }

  @Override
  @Nullable String missing(Path program) {
    return Files.isExecutable(program.resolveSibling("initdb")) ? null : "initdb beside it";
  }

  @Override
  Optional<Path> unpack() throws IOException {
    String resource = ARCHIVES.get(Platform.name());
    URL archive = resource == null ? null : PostgresBinaries.class.getResource(resource);
    if (archive == null) {
      return Optional.empty();
    }
    Path folder = UnpackedBinaries.of(FOLDER, UnpackedBinaries.archive(archive));
    return Optional.of(folder.resolve("bin/postgres"));
  }
}
