package io.lockkeeper.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A MariaDB server. */
public final class MariaDbServer extends MySqlLikeServer {

  private static final SqlBinaries BINARIES = new MariaDbBinaries();
  private static final String BOOTSTRAP_FILE = "bootstrap.sql";
  private static final String WITHOUT_DISK = "--debug-no-sync";

  private MariaDbServer(SqlServerSettings settings) {
    super(settings, "lockkeeper-mariadb-");
  }

  /** Starts a server with default settings. */
  public static MariaDbServer start() {
    return builder().start();
  }

  /** Returns a builder with default settings. */
  public static SqlServerBuilder<MariaDbServer> builder() {
    return new SqlServerBuilder<>(BINARIES, MariaDbServer::new);
  }

  /** Returns the programs that there are. */
  public static SqlBinaries binaries() {
    return BINARIES;
  }

  @Override
  public String jdbcUrl() {
    return mariaDbUrl();
  }

  @Override
  Path share() {
    return MariaDbBinaries.share(binary().program()).orElseThrow();
  }

  @Override
  void makeSystemTables() throws IOException {
    Path data = Files.createDirectory(folder().resolve(DATA_FOLDER));
    Path sql = Files.write(folder().resolve(BOOTSTRAP_FILE), bootstrapSql());
    List<String> command = program(data);
    command.add(WITHOUT_DISK);
    command.add("--bootstrap");
    prepare(command, sql);
  }

  private List<String> bootstrapSql() throws IOException {
    List<String> sql =
        new ArrayList<>(
            List.of("create database mysql;", "use mysql;", "set @auth_root_socket = null;"));
    for (String part : List.of("system_tables", "performance_tables", "system_tables_data")) {
      sql.addAll(Files.readAllLines(MariaDbBinaries.sql(share(), part)));
    }
    return sql;
  }

  @Override
  List<String> ownOptions() {
    return List.of(
        // A certificate of its own would take it seconds to make.
        "--skip-ssl",
        "--aria-log-file-size=8M",
        "--innodb-log-file-size=16M",
        "--innodb-data-file-path=ibdata1:4M:autoextend",
        "--innodb-temp-data-file-path=ibtmp1:4M:autoextend");
  }

  @Override
  List<String> withoutDisk() {
    return List.of(WITHOUT_DISK, "--innodb-flush-log-at-trx-commit=2");
  }
}
