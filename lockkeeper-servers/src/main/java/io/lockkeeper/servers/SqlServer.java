package io.lockkeeper.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A real database server in child processes, on a free loopback port and in a temporary folder;
 * both are gone after {@link #close()}, or when this JVM ends.
 *
 * <p>Not thread-safe.
 */
public abstract sealed class SqlServer implements AutoCloseable
    permits PostgresServer, MySqlLikeServer {

  /** The only interface that the servers listen on. */
  public static final String HOST = "127.0.0.1";

  static final String DATA_FOLDER = "data";

  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(10);
  private static final int CALL_LIMIT_MILLIS = 1_000;

  private final SqlServerSettings settings;
  private final Path folder;
  private @Nullable ServerProcess process;

  SqlServer(SqlServerSettings settings, String folderPrefix) {
    this.settings = settings;
    this.folder = TempFolder.create(folderPrefix);
  }

  /** Makes the files of an empty database. */
  abstract void initialize();

  /** Returns what starts the server. */
  abstract List<String> command();

  /** Returns whether the server lets a client in that has just connected. */
  abstract boolean letsIn(Socket client) throws IOException;

  /** Returns the file into whose first line the server writes the number of its process. */
  abstract Path pidFile();

  /** Returns the URL of its database for JDBC, with the user in it. */
  public abstract String jdbcUrl();

  /** Returns the port that it listens on. */
  public final int port() {
    return settings.port();
  }

  /** Returns the binary that it runs. */
  public final SqlBinary binary() {
    return settings.binary();
  }

  /** Returns the id of its main process. */
  public final long pid() {
    return running().pid();
  }

  /** Kills all of the server's processes (SIGKILL). */
  public final void kill() {
    running().kill();
  }

  /**
   * Stops all of its processes without ending them (SIGSTOP): connections stay open, nothing is
   * answered.
   */
  public final void freeze() {
    running().signal("STOP");
  }

  /** Lets frozen processes go on (SIGCONT). */
  public final void thaw() {
    running().signal("CONT");
  }

  /** As {@link #thaw}; does nothing if the server is not there. */
  public final void thawIfFrozen() {
    running().signalIfAlive("CONT");
  }

  /**
   * Kills the server, if it still runs, and starts it again on the same port. What was committed
   * comes back.
   */
  public final void restart() {
    running().kill();
    launch();
  }

  /** Returns whether it lets a client in: while it starts it does not. */
  public final boolean isAnswering() {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port()), CALL_LIMIT_MILLIS);
      socket.setSoTimeout(CALL_LIMIT_MILLIS);
      return letsIn(socket);
    } catch (IOException notYet) {
      return false;
    }
  }

  @Override
  public final void close() {
    if (process != null) {
      end(process);
    }
    TempFolder.delete(folder);
  }

  /** Ends the server for good. */
  void end(ServerProcess ending) {
    ending.kill();
  }

  final SqlServerSettings settings() {
    return settings;
  }

  /** Returns the folder of all its files. */
  final Path folder() {
    return folder;
  }

  /**
   * Runs a program that is part of the making of a database.
   *
   * @param input a file for it to read, or null
   */
  final void prepare(List<String> command, @Nullable Path input) {
    ServerProcess preparing = ServerProcess.start(command, folder, input);
    boolean ended = preparing.awaitEnd(START_LIMIT);
    preparing.kill(); // what has ended must be forgotten, too
    if (!ended || preparing.exitStatus() != 0) {
      throw new ServerStartException(
          binary() + ": making the database failed:\n" + preparing.outputTail(), null);
    }
  }

  /** Starts the server and waits until it answers. */
  final void launch() {
    process = ServerProcess.start(command(), folder, null, settings.environment());
    awaitReady(process);
  }

  final boolean wasPortTaken() {
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
      if (isAnswering() && hasWrittenItsPid(starting)) {
        return;
      }
      if (System.nanoTime() - deadline > 0) {
        throw notStarted(starting, "did not answer within " + START_LIMIT.toSeconds() + " s");
      }
    }
    throw notStarted(starting, "ended while it started");
  }

  /** Returns false while another server answers, which took the port before this one. */
  private boolean hasWrittenItsPid(ServerProcess starting) {
    try {
      return Files.readString(pidFile())
          .lines()
          .findFirst()
          .orElse("")
          .strip()
          .equals(Long.toString(starting.pid()));
    } catch (IOException notYet) {
      return false;
    }
  }

  private ServerStartException notStarted(ServerProcess starting, String what) {
    return new ServerStartException(
        binary() + " on port " + port() + " " + what + ":\n" + starting.outputTail(), null);
  }
}
