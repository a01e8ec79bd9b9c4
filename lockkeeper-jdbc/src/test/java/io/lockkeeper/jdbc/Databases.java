package io.lockkeeper.jdbc;

import io.lockkeeper.servers.MariaDbServer;
import io.lockkeeper.servers.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

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

  /** Returns the PostgreSQL server that all tests of this process share. */
  static PostgresServer postgres() {
    return Postgres.SERVER;
  }

  /** Started when it is first needed. */
  private static final class Postgres {

    private static final PostgresServer SERVER =
        // A client has up to three connections, and some tests have a hundred clients.
        PostgresServer.builder().option("max_connections", "400").start();
  }

  /** Returns the MariaDB server that all tests of this process share. */
  static MariaDbServer mariaDb() {
    return MariaDb.SERVER;
  }

  /** Started when it is first needed. */
  private static final class MariaDb {

    private static final MariaDbServer SERVER =
        MariaDbServer.builder().option("max_connections", "400").start();
  }

  /**
   * Returns the URL of the MySQL server that {@code -Dlockkeeper.test.mysql} names, with a user who
   * may do everything in an empty database. There is none that comes with the build and runs
   * without packages of the system; without the property the tests are skipped.
   */
  static String mySqlUrl() {
    String url = System.getProperty("lockkeeper.test.mysql");
    Assumptions.assumeTrue(
        url != null, "no MySQL server: -Dlockkeeper.test.mysql=jdbc:mysql://... names one");
    return url;
  }

  /** Returns a URL of the SQLite file of this name. */
  static String sqlite(String name) {
    return "jdbc:sqlite:" + FOLDER.resolve(name + ".db");
  }
}
