package io.lockkeeper.servers;

import java.nio.file.Path;
import java.util.List;

/** A MySQL server. */
public final class MySqlServer extends MySqlLikeServer {

  private static final SqlBinaries BINARIES = new MySqlBinaries();

  private MySqlServer(SqlServerSettings settings) {
    super(settings, "lockkeeper-mysql-");
  }

  /** Starts a server with default settings. */
  public static MySqlServer start() {
    return builder().start();
  }

  /** Returns a builder with default settings. */
  public static SqlServerBuilder<MySqlServer> builder() {
    return new SqlServerBuilder<>(BINARIES, MySqlServer::new);
  }

  /** Returns the programs that there are. */
  public static SqlBinaries binaries() {
    return BINARIES;
  }

  /** For MySQL's own driver. */
  @Override
  public String jdbcUrl() {
    return url("mysql", "sslMode=DISABLED");
  }

  @Override
  Path share() {
    return MySqlBinaries.share(binary().program());
  }

  @Override
  void makeSystemTables() {
    List<String> command = program(folder().resolve(DATA_FOLDER));
    command.addAll(withoutDisk());
    command.add("--initialize-insecure");
    prepare(command, null);
  }

  @Override
  List<String> ownOptions() {
    return List.of(
        // Certificates and keys of its own would take it seconds to make.
        "--skip-ssl",
        "--auto-generate-certs=off",
        "--sha256-password-auto-generate-rsa-keys=off",
        "--caching-sha2-password-auto-generate-rsa-keys=off",
        // All servers of a machine share what the kernel has for this.
        "--innodb-use-native-aio=off",
        "--innodb-log-file-size=16M",
        "--performance-schema=off",
        "--mysqlx=off");
  }

  @Override
  List<String> withoutDisk() {
    return List.of("--innodb-flush-method=nosync", "--innodb-flush-log-at-trx-commit=2");
  }
}
