package io.lockkeeper.servers;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A real MariaDB server in a child process, on a free loopback port and in a temporary folder; both
 * are gone after {@link #close()}, or when this JVM ends.
 *
 * <p>Not thread-safe.
 */
public final class MariaDbServer implements AutoCloseable {

  /** The only interface that the servers listen on. */
  public static final String HOST = "127.0.0.1";

  /** The user to connect as, who may do everything and has no password. */
  public static final String USER = "lockkeeper";

  /** The database that is there at the start. */
  public static final String DATABASE = "lockkeeper";

  static final String DATA_FOLDER = "data";
  static final String INIT_FILE = "init.sql";

  private static final String BOOTSTRAP_FILE = "bootstrap.sql";
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(10);
  private static final int CALL_LIMIT_MILLIS = 1_000;
  private static final int PACKET_HEADER = 4;
  private static final int GREETING = 10;

  private final MariaDbServerBuilder settings;
  private final MariaDbBinary binary;
  private final Path folder;
  private final int port;
  private @Nullable ServerProcess process;

  MariaDbServer(MariaDbServerBuilder settings, MariaDbBinary binary, int port) {
    this.settings = settings;
    this.binary = binary;
    this.port = port;
    this.folder = TempFolder.create("lockkeeper-mariadb-");
  }

  /** Starts a server with default settings. */
  public static MariaDbServer start() {
    return builder().start();
  }

  /** Returns a builder with default settings. */
  public static MariaDbServerBuilder builder() {
    return new MariaDbServerBuilder();
  }

  /** Returns the port that it listens on. */
  public int port() {
    return port;
  }

  /** Returns the binary that it runs. */
  public MariaDbBinary binary() {
    return binary;
  }

  /** Returns its process id. */
  public long pid() {
    return running().pid();
  }

  /**
   * Returns the URL of its database for MariaDB's JDBC driver, with the user in it, without TLS.
   */
  public String jdbcUrl() {
    return "jdbc:mariadb://" + HOST + ":" + port + "/" + DATABASE + "?sslMode=disable&user=" + USER;
  }

  /** Kills the server (SIGKILL). */
  public void kill() {
    running().kill();
  }

  /** Stops the process without ending it (SIGSTOP): connections stay open, nothing is answered. */
  public void freeze() {
    running().signal("STOP");
  }

  /** Lets a frozen process go on (SIGCONT). */
  public void thaw() {
    running().signal("CONT");
  }

  /** As {@link #thaw}; does nothing if the server is not there. */
  public void thawIfFrozen() {
    running().signalIfAlive("CONT");
  }

  /**
   * Kills the server, if it still runs, and starts it again on the same port. What was committed
   * comes back.
   */
  public void restart() {
    running().kill();
    launch();
  }

  @Override
  public void close() {
    if (process != null) {
      process.kill();
    }
    TempFolder.delete(folder);
  }

  /** Makes the files of an empty database. */
  void initialize() {
    ServerProcess bootstrap;
    try {
      Files.createDirectory(folder.resolve(DATA_FOLDER));
      Files.write(folder.resolve(BOOTSTRAP_FILE), bootstrapSql());
      Files.write(folder.resolve(INIT_FILE), initSql());
      bootstrap =
          ServerProcess.start(
              settings.bootstrapLine(binary, folder), folder, folder.resolve(BOOTSTRAP_FILE));
    } catch (IOException e) {
      throw new ServerStartException("cannot prepare " + folder, e);
    }
    boolean ended = bootstrap.awaitEnd(START_LIMIT);
    bootstrap.kill();
    if (!ended || bootstrap.exitStatus() != 0) {
      throw new ServerStartException(
          binary + ": making the database failed:\n" + bootstrap.outputTail(), null);
    }
  }

  private List<String> bootstrapSql() throws IOException {
    List<String> sql =
        new ArrayList<>(
            List.of("create database mysql;", "use mysql;", "set @auth_root_socket = null;"));
    for (String part : List.of("system_tables", "performance_tables", "system_tables_data")) {
      sql.addAll(Files.readAllLines(binary.sql(part)));
    }
    return sql;
  }

  /** Returns what is carried out at each start. */
  private static List<String> initSql() {
    String user = USER + "@'" + HOST + "'";
    return List.of(
        "create database if not exists " + DATABASE + ";",
        "create user if not exists " + user + ";",
        "grant all on *.* to " + user + " with grant option;");
  }

  /** Starts the process and waits until it answers. */
  void launch() {
    process = ServerProcess.start(settings.commandLine(binary, folder, port), folder);
    awaitReady(process);
  }

  boolean wasPortTaken() {
    return process != null && process.outputTail().contains("Address already in use");
  }

  private ServerProcess running() {
    if (process == null) {
      throw new IllegalStateException("never started");
    }
    return process;
  }

  private void awaitReady(ServerProcess starting) {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (!starting.awaitEnd(POLL)) {
      if (isAnswering()) {
        return;
      }
      if (System.nanoTime() - deadline > 0) {
        throw notStarted(starting, "did not answer within " + START_LIMIT.toSeconds() + " s");
      }
    }
    throw notStarted(starting, "ended while it started");
  }

  /** Returns whether it greets a client: while it starts it does not. */
  public boolean isAnswering() {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CALL_LIMIT_MILLIS);
      socket.setSoTimeout(CALL_LIMIT_MILLIS);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      in.skipNBytes(PACKET_HEADER);
      return in.readByte() == GREETING;
    } catch (IOException notYet) {
      return false;
    }
  }

  private ServerStartException notStarted(ServerProcess starting, String what) {
    return new ServerStartException(
        binary + " on port " + port + " " + what + ":\n" + starting.outputTail(), null);
  }
}
