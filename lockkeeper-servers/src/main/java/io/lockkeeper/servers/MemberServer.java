package io.lockkeeper.servers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A real server in a process of its own, on a free loopback port, unless it has a host of its own,
 * and in a temporary folder; both are gone after {@link #close()}, or when this JVM ends.
 *
 * <p>Not thread-safe.
 */
public abstract sealed class MemberServer implements AutoCloseable
    permits DynamoDbServer, EtcdServer, ZooKeeperServer {

  /** The only interface that servers listen on which have no host of their own. */
  public static final String HOST = "127.0.0.1";

  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(20);

  private final String product;
  private final ServerSite site;
  private final Path folder;
  private @Nullable ServerProcess process;

  /**
   * Prepares a server.
   *
   * @param product what it is, for messages
   */
  MemberServer(String product, ServerSite site, Path folder) {
    this.product = product;
    this.site = site;
    this.folder = folder;
  }

  /** Returns the command that runs it, in its folder. */
  abstract List<String> commandLine();

  /** Returns whether it serves clients: alone, or as one of a majority. */
  public abstract boolean isServing();

  /** Returns whether it leads its ensemble. */
  public abstract boolean isLeader();

  /** Returns its URL. */
  public abstract String url();

  /** Returns the port that it listens on. */
  public int port() {
    return site.port();
  }

  /** Returns the address that it listens on: {@link #HOST}, or that of its own host. */
  public String address() {
    return site.address();
  }

  /** Returns its address and port, as clients connect to it. */
  public String connectString() {
    return site.address() + ":" + site.port();
  }

  /** Returns its process id. */
  public long pid() {
    return running().pid();
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
   * Kills the server, if it still runs, and starts it again on the same port, with its data. Waits
   * until it serves: one of an ensemble does only as one of a majority.
   */
  public void restart() {
    running().kill();
    launch();
    awaitServing();
  }

  @Override
  public void close() {
    if (process != null) {
      process.kill();
    }
    TempFolder.delete(folder);
  }

  /** Starts the process. */
  void launch() {
    process = ServerProcess.start(site.command(commandLine()), folder);
  }

  /** Returns whether the process runs. */
  boolean isRunning() {
    return process != null && process.isAlive();
  }

  /** Returns whether it did not start because another program has its port. */
  boolean wasPortTaken() {
    return process != null && !process.isAlive() && wasPortTaken(process);
  }

  /** As {@link #wasPortTaken()}, of a process that has ended. */
  boolean wasPortTaken(ServerProcess ended) {
    return ended.outputTail().toLowerCase(Locale.ROOT).contains("address already in use");
  }

  void awaitServing() {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    ServerProcess starting = running();
    while (!starting.awaitEnd(POLL)) {
      if (isServing()) {
        return;
      }
      if (System.nanoTime() - deadline > 0) {
        throw notStarted(starting, "did not serve within " + START_LIMIT.toSeconds() + " s");
      }
    }
    throw notStarted(starting, "ended while it started");
  }

  private ServerProcess running() {
    if (process == null) {
      throw new IllegalStateException("never started");
    }
    return process;
  }

  private ServerStartException notStarted(ServerProcess starting, String what) {
    return new ServerStartException(
        product + " at " + connectString() + " " + what + ":\n" + starting.outputTail(), null);
  }
}
