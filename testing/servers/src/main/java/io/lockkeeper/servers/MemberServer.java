package io.lockkeeper.servers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A real server that may be one of several, on a free loopback port, unless it has a host of its
 * own.
 *
 * <p>Not thread-safe.
 */
public abstract sealed class MemberServer extends ChildServer
    permits DynamoDbServer, EtcdServer, ZooKeeperServer {

  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private final String product;
  private final ServerSite site;

  /**
   * Prepares a server.
   *
   * @param product what it is, for messages
   */
  MemberServer(String product, ServerSite site, Path folder) {
    super(folder, site.port());
    this.product = product;
    this.site = site;
  }

  /** Returns the command that runs it, in its folder. */
  abstract List<String> commandLine();

  /** Returns whether it serves clients: alone, or as one of a majority. */
  public abstract boolean isServing();

  /** Returns whether it leads its ensemble. */
  public abstract boolean isLeader();

  /** Returns its URL. */
  public abstract String url();

  /** Returns the address that it listens on: {@link #HOST}, or that of its own host. */
  public String address() {
    return site.address();
  }

  /** Returns its address and port, as clients connect to it. */
  public String connectString() {
    return site.address() + ":" + site.port();
  }

  /**
   * Kills the server, if it still runs, and starts it again on the same port, with its data. Waits
   * until it serves: one of an ensemble does only as one of a majority.
   */
  public void restart() {
    beginAgain();
  }

  @Override
  final ServerProcess startProcess() {
    return ServerProcess.start(site.command(commandLine()), folder());
  }

  @Override
  final Duration startLimit() {
    return START_LIMIT;
  }

  @Override
  final boolean isAnswering() {
    return isServing();
  }

  @Override
  public final String toString() {
    return product + " at " + connectString();
  }
}
