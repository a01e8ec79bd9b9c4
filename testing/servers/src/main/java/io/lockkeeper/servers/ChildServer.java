package io.lockkeeper.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A real server in a child process, on a port of its own and in a temporary folder; both are gone
 * after {@link #close()}, or when this JVM ends.
 *
 * <p>Not thread-safe.
 */
public abstract sealed class ChildServer implements AutoCloseable
    permits MemberServer, NginxServer, PgBouncerServer, RedisServer, SqlServer {

  /** The only interface that servers listen on which have no host of their own. */
  public static final String HOST = "127.0.0.1";

  private static final Duration POLL = Duration.ofMillis(10);

  private final Path folder;
  private final int port;
  private @Nullable ServerProcess process;

  /**
   * Prepares a server.
   *
   * @param folder a temporary one, for all its files
   */
  ChildServer(Path folder, int port) {
    this.folder = folder;
    this.port = port;
  }

  /** Starts its process, in its folder. */
  abstract ServerProcess startProcess();

  /** Returns how long it may take until it is ready. */
  abstract Duration startLimit();

  /** Returns whether somebody on its port serves clients. */
  abstract boolean isAnswering();

  /**
   * Returns whether it is this server that answers. Another one may have taken the port a moment
   * before, and answers as long as this one has not yet noticed.
   */
  abstract boolean isItself();

  /** Returns what it is and where, for messages. */
  @Override
  public abstract String toString();

  /** Returns the port that it listens on. */
  public int port() {
    return port;
  }

  /** Returns the id of its main process. */
  public long pid() {
    return running().pid();
  }

  /** Kills all of its processes (SIGKILL). */
  public void kill() {
    running().kill();
  }

  /**
   * Stops all of its processes without ending them (SIGSTOP): connections stay open, nothing is
   * answered.
   */
  public void freeze() {
    running().freeze();
  }

  /** Sends a signal of this name to all of its processes. */
  final void signal(String name) {
    running().signal(name);
  }

  /** Lets frozen processes go on (SIGCONT). */
  public void thaw() {
    running().signal("CONT");
  }

  /** As {@link #thaw}; does nothing if the server is not there. */
  public void thawIfFrozen() {
    running().signalIfAlive("CONT");
  }

  @Override
  public void close() {
    if (process != null) {
      end(process);
    }
    TempFolder.delete(folder);
  }

  /** Ends the server for good. */
  void end(ServerProcess ending) {
    ending.kill();
  }

  /** Returns the folder of all its files. */
  final Path folder() {
    return folder;
  }

  /** Starts the process; the caller goes on with {@link #awaitReady}. */
  final void launch() {
    process = startProcess();
  }

  /** Starts the server and waits until it answers. */
  final void begin() {
    launch();
    awaitReady();
  }

  /** Kills the server, if it still runs, and starts it again on the same port. */
  final void beginAgain() {
    running().kill();
    begin();
  }

  /** Waits until the server, and no other, answers. */
  final void awaitReady() {
    ServerProcess starting = running();
    long deadline = System.nanoTime() + startLimit().toNanos();
    while (!starting.awaitEnd(POLL)) {
      if (isAnswering() && isItself()) {
        return;
      }
      if (System.nanoTime() - deadline > 0) {
        throw notStarted(starting, "did not answer within " + startLimit().toSeconds() + " s");
      }
    }
    throw notStarted(starting, "ended while it started");
  }

  /** Returns whether the process runs. */
  final boolean isRunning() {
    return process != null && process.isAlive();
  }

  /** Returns whether it did not start because another program has its port. */
  final boolean wasPortTaken() {
    return process != null && !process.isAlive() && wasPortTaken(process);
  }

  /** As {@link #wasPortTaken()}, of a process that has ended. */
  boolean wasPortTaken(ServerProcess ended) {
    return ended.saidThatPortIsTaken();
  }

  /** Returns whether somebody on its port takes connections. */
  final boolean takesConnections() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  /** Returns the lines of a file of which the first is the number of its process; or none. */
  final List<String> ownPidFile(Path file) {
    try {
      List<String> lines = Files.readAllLines(file);
      boolean isOwn = !lines.isEmpty() && lines.get(0).strip().equals(String.valueOf(pid()));
      return isOwn ? lines : List.of();
    } catch (IOException notYet) {
      return List.of();
    }
  }

  private ServerProcess running() {
    if (process == null) {
      throw new IllegalStateException("never started");
    }
    return process;
  }

  private ServerStartException notStarted(ServerProcess starting, String what) {
    return new ServerStartException(this + " " + what + ":\n" + starting.outputTail(), null);
  }
}
