package io.lockkeeper.servers;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A PostgreSQL server.
 *
 * <p>PostgreSQL does not run as root. When this JVM does, the server runs as the user {@code
 * nobody}.
 */
public final class PostgresServer extends SqlServer {

  /** The user to connect as, a superuser without a password. */
  public static final String USER = "postgres";

  private static final String PID_FILE = "postmaster.pid";
  private static final int STATUS_LINE = 7;
  private static final Set<String> READY = Set.of("ready", "standby");
  private static final SqlBinaries BINARIES = new PostgresBinaries();
  private static final Duration STOP_LIMIT = Duration.ofSeconds(5);
  private static final int PROTOCOL_3_0 = 196_608;

  private final Unprivileged user;

  private PostgresServer(SqlServerSettings settings) {
    super(settings, "lockkeeper-postgres-");
    this.user = Unprivileged.owning(folder());
  }

  /** Starts a server with default settings. */
  public static PostgresServer start() {
    return builder().start();
  }

  /** Returns a builder with default settings. */
  public static SqlServerBuilder<PostgresServer> builder() {
    return new SqlServerBuilder<>(BINARIES, PostgresServer::new);
  }

  /** Returns the programs that there are. */
  public static SqlBinaries binaries() {
    return BINARIES;
  }

  @Override
  public String jdbcUrl() {
    return "jdbc:postgresql://" + HOST + ":" + port() + "/postgres?user=" + USER;
  }

  @Override
  void initialize() {
    List<String> initdb =
        List.of(
            binary().sibling("initdb").toString(),
            "-D",
            DATA_FOLDER,
            "-U",
            USER,
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync");
    prepare(user.command(initdb), null);
  }

  /**
   * Becomes a copy of a server that does not run, or is frozen, and is to follow it once both run.
   * What was there is deleted, but not the folder itself: by that the system's shared memory is
   * found again which a server that was killed has left behind.
   */
  void copy(PostgresServer primary) {
    String data = primary.folder().resolve(DATA_FOLDER).toString();
    run("mkdir", "-p", DATA_FOLDER);
    run("find", DATA_FOLDER, "-mindepth", "1", "-delete");
    run("cp", "-a", data + "/.", DATA_FOLDER);
    run("rm", "-f", DATA_FOLDER + "/" + PID_FILE); // the other one's process
    run("touch", DATA_FOLDER + "/standby.signal");
  }

  /** Makes a standby take writes, and waits until it does. */
  void promote() {
    run(binary().sibling("pg_ctl").toString(), "promote", "-w", "-D", DATA_FOLDER);
  }

  /** Ends the server in good order: a standby that follows it has heard everything by then. */
  void stop() {
    run(binary().sibling("pg_ctl").toString(), "stop", "-w", "-m", "fast", "-D", DATA_FOLDER);
  }

  private void run(String... command) {
    prepare(user.command(List.of(command)), null);
  }

  @Override
  List<String> command() {
    List<String> command =
        new ArrayList<>(List.of(binary().program().toString(), "-D", DATA_FOLDER));
    set(command, "listen_addresses", HOST);
    set(command, "port", String.valueOf(port()));
    set(command, "unix_socket_directories", "");
    set(command, "shared_buffers", "32MB");
    set(command, "fsync", settings().durable() ? "on" : "off");
    settings().options().forEach((name, value) -> set(command, name, value));
    return user.command(command);
  }

  private static void set(List<String> command, String name, String value) {
    command.add("-c");
    command.add(name + "=" + value);
  }

  /**
   * Returns whether it has written that it is ready. It writes its process's number before it has
   * its port.
   */
  @Override
  boolean isItself() {
    List<String> lines = ownPidFile(folder().resolve(DATA_FOLDER).resolve(PID_FILE));
    return lines.size() > STATUS_LINE && READY.contains(lines.get(STATUS_LINE).strip());
  }

  @Override
  boolean letsIn(Socket client) throws IOException {
    byte[] login =
        ("user\0" + USER + "\0database\0postgres\0\0").getBytes(StandardCharsets.US_ASCII);
    DataOutputStream out = new DataOutputStream(client.getOutputStream());
    out.writeInt(2 * Integer.BYTES + login.length);
    out.writeInt(PROTOCOL_3_0);
    out.write(login);
    return new DataInputStream(client.getInputStream()).readByte() == 'R';
  }

  /** Lets it give back the system's shared memory, which a server that is killed leaves behind. */
  @Override
  void end(ServerProcess ending) {
    if (ending.isAlive()) {
      ending.signal("QUIT");
      ending.signalIfAlive("CONT");
      ending.awaitEnd(STOP_LIMIT);
    }
    ending.kill();
  }
}
