package io.lockkeeper.servers;

import io.lockkeeper.servers.net.PrivateNetwork;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Three real ZooKeeper servers that are one store, each in a JVM of its own. Started with {@link
 * ZooKeeperServerBuilder#ownNetwork}, each has a host of its own too, and the links between them
 * can be cut.
 *
 * <p>Not thread-safe.
 */
public final class ZooKeeperEnsemble implements AutoCloseable {

  static final int SIZE = 3;

  /** The usual ones, where each server has all ports to itself. */
  private static final int CLIENT_PORT = 2181;

  private static final int QUORUM_PORT = 2888;
  private static final int ELECTION_PORT = 3888;

  private final List<ZooKeeperServer> servers = new ArrayList<>();
  private final @Nullable PrivateNetwork network;

  /**
   * Prepares the servers.
   *
   * @param network whose hosts they run on, and which ends with them; null for this machine
   */
  ZooKeeperEnsemble(ZooKeeperServerBuilder settings, @Nullable PrivateNetwork network) {
    this.network = network;
    List<ServerSite> sites = new ArrayList<>();
    StringBuilder members = new StringBuilder();
    for (int host = 0; host < SIZE; host++) {
      ServerSite site =
          network == null ? ServerSite.here() : ServerSite.on(network, host, CLIENT_PORT);
      sites.add(site);
      members.append(
          "server.%d=%s:%d:%d%n"
              .formatted(
                  id(host),
                  site.innerAddress(),
                  network == null ? Ports.free() : QUORUM_PORT,
                  network == null ? Ports.free() : ELECTION_PORT));
    }
    for (int host = 0; host < SIZE; host++) {
      servers.add(new ZooKeeperServer(settings, sites.get(host), members.toString(), id(host)));
    }
  }

  private static int id(int host) {
    return host + 1;
  }

  /** Starts three servers with default settings. */
  public static ZooKeeperEnsemble start() {
    return ZooKeeperServer.builder().startEnsemble();
  }

  /** Returns all of them. */
  public List<ZooKeeperServer> servers() {
    return List.copyOf(servers);
  }

  /** Waits until one of them leads, and returns it. */
  public ZooKeeperServer leader() {
    Waiting.until("one of the servers leads", () -> servers.stream().anyMatch(this::leads));
    return servers.stream().filter(this::leads).findFirst().orElseThrow();
  }

  private boolean leads(ZooKeeperServer server) {
    return server.isLeader();
  }

  /** Waits until all of them serve, one of them as the leader. */
  public void awaitWhole() {
    Waiting.until(
        "all of the servers serve",
        () ->
            servers.stream().allMatch(ZooKeeperServer::isServing)
                && servers.stream().anyMatch(this::leads));
  }

  /** Returns those that do not lead, whether they run or not. */
  public List<ZooKeeperServer> followers() {
    ZooKeeperServer leader = leader();
    return servers.stream().filter(server -> server != leader).toList();
  }

  /** Returns what ZooKeeper's clients connect to. */
  public String connectString() {
    return servers.stream().map(ZooKeeperServer::connectString).collect(Collectors.joining(","));
  }

  /** Returns the URL that names all of them. */
  public String url() {
    return "zookeeper://" + connectString();
  }

  /** Kills all that run and starts all again, with their data; waits until all serve. */
  public void restart() {
    servers.forEach(ZooKeeperServer::kill);
    launchAll();
  }

  /**
   * Cuts a server's links to the others, in both directions. What is sent is lost, and nobody is
   * told; clients still reach it.
   *
   * @throws IllegalStateException if the servers have no hosts of their own
   */
  public void isolate(ZooKeeperServer server) {
    mute(server);
    deafen(server);
  }

  /** As {@link #isolate}, but the server still hears the others. */
  public void mute(ZooKeeperServer server) {
    network().mute(servers.indexOf(server));
  }

  /** As {@link #isolate}, but the others still hear the server. */
  public void deafen(ZooKeeperServer server) {
    network().deafen(servers.indexOf(server));
  }

  /** Puts all links between the servers in order again. */
  public void heal() {
    network().heal();
  }

  private PrivateNetwork network() {
    if (network == null) {
      throw new IllegalStateException("the servers have no hosts of their own");
    }
    return network;
  }

  @Override
  public void close() {
    servers.forEach(ZooKeeperServer::close);
    if (network != null) {
      network.close();
    }
  }

  void launchAll() {
    servers.forEach(ZooKeeperServer::launch);
    servers.forEach(ZooKeeperServer::awaitServing);
  }

  boolean wasPortTaken() {
    return servers.stream().anyMatch(ZooKeeperServer::wasPortTaken);
  }
}
