package io.lockkeeper.jdbc;

import io.lockkeeper.spi.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The checks for one kind of database that the others do not need. */
final class HealthCheck {

  private HealthCheck() {}

  static List<Finding> of(Connection connection, Dialect dialect) throws SQLException {
    if (dialect instanceof SqliteDialect) {
      return sqlite(connection);
    } else if (dialect instanceof H2Dialect) {
      String use = "use it for tests; in production another store";
      return List.of(Finding.warn("database", "H2 is not tested for production", use));
    }
    return dialect instanceof PostgreSqlDialect
        ? postgres(connection, dialect)
        : mysql(connection, dialect);
  }

  private static List<Finding> postgres(Connection connection, Dialect dialect)
      throws SQLException {
    List<Finding> findings = new ArrayList<>();
    findings.add(
        role(connection, dialect, ask(connection, "show transaction_read_only").orElse("off")));
    String poor = ((PostgreSqlDialect) dialect).poorEncoding();
    findings.add(
        poor == null
            ? Finding.ok("encoding", "every name can be stored")
            : Finding.warn(
                "encoding",
                poor + ", which lacks characters",
                "use a database with the encoding UTF8: names that this one cannot hold are"
                    + " refused"));
    boolean syncs = isOn(ask(connection, "show fsync"));
    String commit = ask(connection, "show synchronous_commit").orElse("unknown");
    findings.add(
        durability(
            "fsync " + (syncs ? "on" : "off") + ", synchronous_commit " + commit,
            syncs && !commit.equals("off"),
            "set fsync and synchronous_commit on"));
    String standbys = ask(connection, "select count(*) from pg_stat_replication").orElse("0");
    String names = ask(connection, "show synchronous_standby_names").orElse("");
    findings.add(
        replicas(
            standbys,
            !names.isBlank() && !commit.equals("local"),
            "name synchronous standbys (synchronous_standby_names)"));
    return findings;
  }

  private static List<Finding> mysql(Connection connection, Dialect dialect) throws SQLException {
    List<Finding> findings = new ArrayList<>();
    findings.add(
        role(connection, dialect, ask(connection, "select @@global.read_only").orElse("0")));
    String flush = ask(connection, "select @@global.innodb_flush_log_at_trx_commit").orElse("1");
    findings.add(
        durability(
            "innodb_flush_log_at_trx_commit " + flush,
            flush.equals("1"),
            "set innodb_flush_log_at_trx_commit to 1"));
    String engine =
        Optional.ofNullable(
                Dialect.ask(
                    connection,
                    "select engine from information_schema.tables where table_schema = ?"
                        + " and table_name = ?",
                    dialect.schema,
                    Dialect.FIRST_TABLE))
            .orElse("InnoDB");
    findings.add(
        engine.equalsIgnoreCase("InnoDB")
            ? Finding.ok("engine", engine)
            : Finding.fail(
                "engine", engine, "make the tables InnoDB: others have no transactions"));
    return findings;
  }

  private static List<Finding> sqlite(Connection connection) throws SQLException {
    List<Finding> findings = new ArrayList<>();
    String mode = ask(connection, "pragma journal_mode").orElse("unknown");
    findings.add(
        mode.equalsIgnoreCase("wal")
            ? Finding.ok("journal", mode)
            : Finding.warn(
                "journal", mode, "leave it to Lockkeeper, which sets wal: others make all wait"));
    StoreFile file = StoreFile.of(connection);
    if (file != null) {
      try {
        findings.add(fileSystem(file));
        permissions(file.path()).ifPresent(findings::add);
      } catch (IOException e) {
        findings.add(Finding.warn("file", String.valueOf(e.getMessage()), "look at it yourself"));
      }
    }
    return findings;
  }

  private static Finding fileSystem(StoreFile file) throws IOException {
    String type = file.fileSystem();
    return StoreFile.isOfNetwork(type)
        ? Finding.fail(
            "file",
            "on a network file system (" + type + ")",
            "move it to a local disk, or use a server: locks on files do not reach other machines")
        : Finding.ok("file", file.path() + ", on " + type);
  }

  private static Optional<Finding> permissions(Path file) throws IOException {
    if (!file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return Optional.empty();
    }
    Set<PosixFilePermission> set = Files.getPosixFilePermissions(file);
    return Optional.of(
        set.contains(PosixFilePermission.OTHERS_WRITE)
            ? Finding.warn(
                "rights", "everybody may write the file", "take the right away from others")
            : Finding.ok("rights", "not everybody may write the file"));
  }

  /**
   * Returns whether changes are taken.
   *
   * @param isReadOnly what the server says of that, where there are no tables yet to try it with
   */
  private static Finding role(Connection connection, Dialect dialect, String isReadOnly)
      throws SQLException {
    boolean writes = !isOn(Optional.of(isReadOnly));
    try {
      dialect.checkWritable(connection);
      writes = true;
    } catch (SQLException e) {
      if (dialect.verdict(e) == Verdict.READ_ONLY) {
        writes = false;
      } else if (dialect.verdict(e) != Verdict.NO_TABLE) {
        throw e;
      }
    }
    return writes
        ? Finding.ok("role", "takes writes")
        : Finding.fail("role", "read-only, as a replica is", "name the primary in the URL");
  }

  private static Finding durability(String found, boolean isSafe, String advice) {
    return isSafe
        ? Finding.ok("durability", found)
        : Finding.warn("durability", found, advice + ": a crash may forget the latest grants (X1)");
  }

  private static Finding replicas(String count, boolean isSynchronous, String advice) {
    boolean none = count.equals("0");
    String found =
        none ? "none seen" : count + (isSynchronous ? ", synchronous" : ", asynchronous");
    return none || isSynchronous
        ? Finding.ok("replicas", found)
        : Finding.warn(
            "replicas", found, advice + ", or know that a failover may forget the latest grants");
  }

  private static Optional<String> ask(Connection connection, String query) throws SQLException {
    return JdbcDoctor.one(connection, query);
  }

  private static boolean isOn(Optional<String> answer) {
    return answer
        .map(text -> Set.of("on", "t", "true", "1").contains(text.toLowerCase(Locale.ROOT)))
        .orElse(false);
  }
}
