package io.lockkeeper.servers;

import io.lockkeeper.servers.net.PrivateNetwork;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Several real servers that are one store, each in a process of its own. If each has a host of its
 * own too, the links between them can be cut.
 *
 * <p>Not thread-safe.
 *
 * @param <S> the kind of server
 */
public abstract sealed class ServerEnsemble<S extends MemberServer> implements AutoCloseable
    permits EtcdEnsemble, ZooKeeperEnsemble {

  static final int SIZE = 3;

  private final @Nullable PrivateNetwork network;
  private final List<S> servers;

  /**
   * Takes servers that are prepared.
   *
   * @param network whose hosts they run on, and which ends with them; null for this machine
   */
  ServerEnsemble(@Nullable PrivateNetwork network, List<S> servers) {
    this.network = network;
    this.servers = List.copyOf(servers);
  }

  /**
   * Starts an ensemble and waits until all of its servers serve.
   *
   * @param ownNetwork whether the servers are to have hosts of their own
   * @param maker prepares it on the hosts of a network, or on free ports of this machine
   */
  static <E extends ServerEnsemble<?>> E start(
      boolean ownNetwork, Function<@Nullable PrivateNetwork, E> maker) {
    return Ports.start(
        () -> maker.apply(ownNetwork ? PrivateNetwork.create(SIZE) : null),
        ServerEnsemble::launchAll,
        ServerEnsemble::wasPortTaken,
        ServerEnsemble::close);
  }

  /**
   * Returns where the servers run.
   *
   * @param network on whose hosts; null for free ports of this machine
   * @param port the port for clients on a host of its own
   */
  static List<ServerSite> sites(@Nullable PrivateNetwork network, int port) {
    return IntStream.range(0, SIZE)
        .mapToObj(host -> network == null ? ServerSite.here() : ServerSite.on(network, host, port))
        .toList();
  }

  /** Returns all of them. */
  public List<S> servers() {
    return servers;
  }

  /** Waits until one of them leads, and returns it. */
  public S leader() {
    Waiting.until("one of the servers leads", () -> servers.stream().anyMatch(this::leads));
    return servers.stream().filter(this::leads).findFirst().orElseThrow();
  }

  private boolean leads(S server) {
    return server.isLeader();
  }

  /** Waits until all of them serve, one of them as the leader. */
  public void awaitWhole() {
    Waiting.until(
        "all of the servers serve",
        () ->
            servers.stream().allMatch(MemberServer::isServing)
                && servers.stream().anyMatch(this::leads));
  }

  /** Returns those that do not lead, whether they run or not. */
  public List<S> followers() {
    S leader = leader();
    return servers.stream().filter(server -> server != leader).toList();
  }

  /** Returns the addresses and ports that clients connect to. */
  public String connectString() {
    return servers.stream().map(MemberServer::connectString).collect(Collectors.joining(","));
  }

  /** Returns the URL that names all of them. */
  public abstract String url();

  /** Kills all that run and starts all again, with their data; waits until all serve. */
  public void restart() {
    servers.forEach(MemberServer::kill);
    launchAll();
  }

  /**
   * Cuts a server's links to the others, in both directions. What is sent is lost without a sign;
   * clients still reach it.
   *
   * @throws IllegalStateException if the servers have no hosts of their own
   */
  public void isolate(S server) {
    mute(server);
    deafen(server);
  }

  /** As {@link #isolate}, but the server still hears the others. */
  public void mute(S server) {
    network().mute(servers.indexOf(server));
  }

  /** As {@link #isolate}, but the others still hear the server. */
  public void deafen(S server) {
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
    servers.forEach(MemberServer::close);
    if (network != null) {
      network.close();
    }
  }

  private void launchAll() {
    servers.forEach(MemberServer::launch);
    servers.forEach(MemberServer::awaitReady);
  }

  private boolean wasPortTaken() {
    return servers.stream().anyMatch(MemberServer::wasPortTaken);
  }
}
