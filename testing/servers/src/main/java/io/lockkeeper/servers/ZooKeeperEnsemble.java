package io.lockkeeper.servers;

import io.lockkeeper.servers.net.PrivateNetwork;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Three real ZooKeeper servers that are one store, each in a JVM of its own. Started with {@link
 * ZooKeeperServerBuilder#ownNetwork}, each has a host of its own too, and the links between them
 * can be cut.
 *
 * <p>Not thread-safe.
 */
public final class ZooKeeperEnsemble extends ServerEnsemble<ZooKeeperServer> {

  /** The usual ones, where each server has all ports to itself. */
  private static final int CLIENT_PORT = 2181;

  private static final int QUORUM_PORT = 2888;
  private static final int ELECTION_PORT = 3888;

  /**
   * Prepares the servers.
   *
   * @param network whose hosts they run on, and which ends with them; null for this machine
   */
  ZooKeeperEnsemble(ZooKeeperServerBuilder settings, @Nullable PrivateNetwork network) {
    super(network, prepare(settings, network));
  }

  private static List<ZooKeeperServer> prepare(
      ZooKeeperServerBuilder settings, @Nullable PrivateNetwork network) {
    List<ServerSite> sites = sites(network, CLIENT_PORT);
    StringBuilder members = new StringBuilder();
    for (int host = 0; host < SIZE; host++) {
      members.append(
          "server.%s=%s:%s:%s%n"
              .formatted(
                  id(host),
                  sites.get(host).innerAddress(),
                  network == null ? Ports.free() : QUORUM_PORT,
                  network == null ? Ports.free() : ELECTION_PORT));
    }
    List<ZooKeeperServer> servers = new ArrayList<>();
    for (int host = 0; host < SIZE; host++) {
      servers.add(new ZooKeeperServer(settings, sites.get(host), members.toString(), id(host)));
    }
    return servers;
  }

  private static int id(int host) {
    return host + 1;
  }

  /** Starts three servers with default settings. */
  public static ZooKeeperEnsemble start() {
    return ZooKeeperServer.builder().startEnsemble();
  }

  @Override
  public String url() {
    return "zookeeper://" + connectString();
  }
}
