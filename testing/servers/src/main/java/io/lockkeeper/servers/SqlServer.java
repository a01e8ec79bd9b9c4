package io.lockkeeper.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A real database server, on a free loopback port.
 *
 * <p>Not thread-safe.
 */
public abstract sealed class SqlServer extends ChildServer permits PostgresServer, MySqlLikeServer {

  static final String DATA_FOLDER = "data";

  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final int CALL_LIMIT_MILLIS = 1_000;

  private final SqlServerSettings settings;

  SqlServer(SqlServerSettings settings, String folderPrefix) {
    super(TempFolder.create(folderPrefix), settings.port());
    this.settings = settings;
  }

  /** Makes the files of an empty database. */
  abstract void initialize();

  /** Returns what starts the server. */
  abstract List<String> command();

  /** Returns whether the server lets a client in that has just connected. */
  abstract boolean letsIn(Socket client) throws IOException;

  /** Returns the URL of its database for JDBC, with the user in it. */
  public abstract String jdbcUrl();

  /** Returns the binary that it runs. */
  public final SqlBinary binary() {
    return settings.binary();
  }

  /**
   * Kills the server, if it still runs, and starts it again on the same port. What was committed
   * comes back.
   */
  public final void restart() {
    beginAgain();
  }

  /** Returns whether it lets a client in: while it starts it does not. */
  @Override
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

  final SqlServerSettings settings() {
    return settings;
  }

  /**
   * Runs a program that is part of the making of a database.
   *
   * @param input a file for it to read, or null
   */
  final void prepare(List<String> command, @Nullable Path input) {
    ServerProcess preparing = ServerProcess.start(command, folder(), input);
    boolean ended = preparing.awaitEnd(START_LIMIT);
    preparing.kill(); // what has ended must be forgotten, too
    if (!ended || preparing.exitStatus() != 0) {
      throw new ServerStartException(
          binary() + ": making the database failed:\n" + preparing.outputTail(), null);
    }
  }

  @Override
  final ServerProcess startProcess() {
    return ServerProcess.start(command(), folder(), null, settings.environment());
  }

  @Override
  final Duration startLimit() {
    return START_LIMIT;
  }

  @Override
  public final String toString() {
    return binary() + " on port " + port();
  }
}
