package io.lockkeeper.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Three real ZooKeeper servers that are one store, each in a JVM of its own.
 *
 * <p>Not thread-safe.
 */
public final class ZooKeeperEnsemble implements AutoCloseable {

  private static final int SIZE = 3;

  private final List<ZooKeeperServer> servers = new ArrayList<>();

  /** Prepares the servers. */
  ZooKeeperEnsemble(ZooKeeperServerBuilder settings) {
    StringBuilder members = new StringBuilder();
    for (int id = 1; id <= SIZE; id++) {
      members.append(
          "server.%d=%s:%d:%d%n".formatted(id, ZooKeeperServer.HOST, Ports.free(), Ports.free()));
    }
    for (int id = 1; id <= SIZE; id++) {
      servers.add(new ZooKeeperServer(settings, Ports.free(), members.toString(), id));
    }
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

  @Override
  public void close() {
    servers.forEach(ZooKeeperServer::close);
  }

  void launchAll() {
    servers.forEach(ZooKeeperServer::launch);
    servers.forEach(ZooKeeperServer::awaitServing);
  }

  boolean wasPortTaken() {
    return servers.stream().anyMatch(ZooKeeperServer::wasPortTaken);
  }
}
