package io.lockkeeper.servers;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A server that speaks MySQL's protocol and takes MySQL's settings. */
public abstract sealed class MySqlLikeServer extends SqlServer permits MariaDbServer, MySqlServer {

  /** The user to connect as, who may do everything and has no password. */
  public static final String USER = "lockkeeper";

  /** The database that is there at the start. */
  public static final String DATABASE = "lockkeeper";

  private static final String INIT_FILE = "init.sql";
  private static final String PID_FILE = "pid";
  private static final int PACKET_HEADER = 4;
  private static final int GREETING = 10;

  MySqlLikeServer(SqlServerSettings settings, String folderPrefix) {
    super(settings, folderPrefix);
  }

  /** Returns the folder with its messages and character sets. */
  abstract Path share();

  /** Makes the system tables. */
  abstract void makeSystemTables() throws IOException;

  /** Returns further options of this kind of server, also used while it makes its system tables. */
  abstract List<String> ownOptions();

  /** Returns what spares it the waiting for the disk. */
  abstract List<String> withoutDisk();

  /** Returns the URL for MariaDB's driver, which can serve MySQL too; without TLS. */
  public final String mariaDbUrl() {
    return url("mariadb", "sslMode=disable");
  }

  final String url(String scheme, String parameters) {
    return "jdbc:%s://%s:%s/%s?%s&user=%s"
        .formatted(scheme, HOST, port(), DATABASE, parameters, USER);
  }

  @Override
  final void initialize() {
    try {
      Files.write(folder().resolve(INIT_FILE), initSql());
      makeSystemTables();
    } catch (IOException e) {
      throw new ServerStartException("cannot prepare " + folder(), e);
    }
  }

  /** Returns what is carried out at each start. */
  private static List<String> initSql() {
    String user = USER + "@'" + HOST + "'";
    return List.of(
        "create database if not exists " + DATABASE + ";",
        "create user if not exists " + user + ";",
        "grant all on *.* to " + user + " with grant option;");
  }

  /** Returns what begins each command. */
  final List<String> program(Path data) {
    List<String> command = new ArrayList<>();
    command.add(binary().program().toString());
    command.add("--no-defaults"); // comes first
    command.addAll(
        List.of(
            "--datadir=" + data,
            "--tmpdir=" + folder(),
            "--lc-messages-dir=" + share(),
            "--character-sets-dir=" + share().resolve("charsets"),
            "--character-set-server=utf8mb4",
            "--skip-log-bin",
            "--innodb-buffer-pool-size=32M"));
    command.addAll(ownOptions());
    if (Unprivileged.isRoot(folder())) {
      command.add("--user=root"); // as root it runs only if told so
    }
    return command;
  }

  @Override
  final List<String> command() {
    List<String> command = program(folder().resolve(DATA_FOLDER));
    command.addAll(
        List.of(
            "--bind-address=" + HOST,
            "--port=" + port(),
            "--socket=" + folder().resolve("socket"),
            "--pid-file=" + folder().resolve(PID_FILE),
            "--init-file=" + folder().resolve(INIT_FILE),
            "--skip-name-resolve"));
    if (!settings().durable()) {
      command.addAll(withoutDisk());
    }
    settings()
        .options()
        .forEach((name, value) -> command.add("--" + name.replace('_', '-') + "=" + value));
    return command;
  }

  /** Returns whether it has written its process's number, which it does once it has its port. */
  @Override
  final boolean isItself() {
    return !ownPidFile(folder().resolve(PID_FILE)).isEmpty();
  }

  /** Returns whether it greets a client: it does not as long as it does not admit any. */
  @Override
  final boolean letsIn(Socket client) throws IOException {
    DataInputStream in = new DataInputStream(client.getInputStream());
    in.skipNBytes(PACKET_HEADER);
    return in.readByte() == GREETING;
  }
}
