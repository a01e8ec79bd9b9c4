package io.lockkeeper.servers;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where MySQL is: on the class path. One that is installed is often MariaDB under an old name, or
 * may not touch other folders than its own.
 */
final class MySqlBinaries extends SqlBinaries {

  private static final String ARCHIVE = "/mysql-Linux-amd64.tar.gz";

  /** Named after the version in the archive. */
  private static final String FOLDER = "mysql-8.0.15";

  MySqlBinaries() {
    super("MySQL", Pattern.compile("Ver (\\d+\\.\\d+\\.\\d+)(?![-\\w.]*MariaDB)"));
  }

  @Override
  Stream<Path> installed() {
    return Stream.empty();
  }

  @Override
  @Nullable String missing(Path program) {
    return Files.exists(share(program).resolve("english/errmsg.sys")) ? null : "its messages";
  }

  @Override
  String needs() {
    return " (it needs the packages libaio1 and libnuma1)";
  }

  /** Returns the folder with a program's messages. */
  static Path share(Path program) {
    return program.resolveSibling("../share").normalize();
  }

  @Override
  Optional<Path> unpack() throws IOException {
    URL archive = MySqlBinaries.class.getResource(ARCHIVE);
    if (archive == null || !Platform.name().equals("linux-amd64")) {
      return Optional.empty();
    }
    Path folder = UnpackedBinaries.of(FOLDER, UnpackedBinaries.archive(archive));
    return Optional.of(folder.resolve("bin/mysqld"));
  }
}
