package io.lockkeeper.servers;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL server in child processes, on a free loopback port and in a temporary folder;
 * both are gone after {@link #close()}, or when this JVM ends.
 *
 * <p>PostgreSQL does not run as root. When this JVM does, the server runs as the user {@code
 * nobody}. Not thread-safe.
 */
public final class PostgresServer implements AutoCloseable {

  /** The only interface that the servers listen on. */
  public static final String HOST = "127.0.0.1";

  /** The user to connect as, a superuser without a password. */
  public static final String USER = "postgres";

  static final String DATA_FOLDER = "data";

  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(10);
  private static final int CALL_LIMIT_MILLIS = 1_000;
  private static final int PROTOCOL_3_0 = 196_608;

  private final PostgresServerBuilder settings;
  private final PostgresBinary binary;
  private final Path folder;
  private final Unprivileged user;
  private final int port;
  private @Nullable ServerProcess process;

  PostgresServer(PostgresServerBuilder settings, PostgresBinary binary, int port) {
    this.settings = settings;
    this.binary = binary;
    this.port = port;
    this.folder = TempFolder.create("lockkeeper-postgres-");
    this.user = Unprivileged.owning(folder);
  }

  /** Starts a server with default settings. */
  public static PostgresServer start() {
    return builder().start();
  }

  /** Returns a builder with default settings. */
  public static PostgresServerBuilder builder() {
    return new PostgresServerBuilder();
  }

  /** Returns the port that it listens on. */
  public int port() {
    return port;
  }

  /** Returns the binary that it runs. */
  public PostgresBinary binary() {
    return binary;
  }

  /** Returns the id of its main process. */
  public long pid() {
    return running().pid();
  }

  /** Returns the URL of its database for JDBC, with the user in it. */
  public String jdbcUrl() {
    return "jdbc:postgresql://" + HOST + ":" + port + "/postgres?user=" + USER;
  }

  /** Kills all of the server's processes (SIGKILL). */
  public void kill() {
    running().kill();
  }

  /**
   * Stops all of its processes without ending them (SIGSTOP): connections stay open, nothing is
   * answered.
   */
  public void freeze() {
    running().signal("STOP");
  }

  /** Lets frozen processes go on (SIGCONT). */
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
      quit(process);
    }
    TempFolder.delete(folder);
  }

  /**
   * Lets the server give back the system's shared memory, which one that is killed leaves behind.
   */
  private static void quit(ServerProcess ending) {
    if (ending.isAlive()) {
      ending.signal("QUIT");
      ending.signalIfAlive("CONT");
      ending.awaitEnd(STOP_LIMIT);
    }
    ending.kill();
  }

  /** Makes the files of an empty database. */
  void initialize() {
    List<String> command =
        List.of(
            binary.program("initdb").toString(),
            "-D",
            DATA_FOLDER,
            "-U",
            USER,
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C",
            "--no-sync");
    ServerProcess initdb = ServerProcess.start(user.command(command), folder);
    if (!initdb.awaitEnd(START_LIMIT) || initdb.exitStatus() != 0) {
      initdb.kill();
      throw new ServerStartException(binary + ": initdb failed:\n" + initdb.outputTail(), null);
    }
    initdb.kill(); // It has ended; forgotten it must be, too.
  }

  /** Starts the processes and waits until they answer. */
  void launch() {
    process = ServerProcess.start(user.command(settings.commandLine(binary, port)), folder);
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

  /** Returns whether it lets a client in: while it starts it does not. */
  public boolean isAnswering() {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CALL_LIMIT_MILLIS);
      socket.setSoTimeout(CALL_LIMIT_MILLIS);
      byte[] login =
          ("user\0" + USER + "\0database\0postgres\0\0").getBytes(StandardCharsets.US_ASCII);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.writeInt(2 * Integer.BYTES + login.length);
      out.writeInt(PROTOCOL_3_0);
      out.write(login);
      return new DataInputStream(socket.getInputStream()).readByte() == 'R';
    } catch (IOException notYet) {
      return false;
    }
  }

  private ServerStartException notStarted(ServerProcess starting, String what) {
    return new ServerStartException(
        binary + " on port " + port + " " + what + ":\n" + starting.outputTail(), null);
  }
}
