package io.lockkeeper.zookeeper;

import static org.awaitility.Awaitility.await;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.servers.ZooKeeperEnsemble;
import io.lockkeeper.servers.ZooKeeperServer;
import io.lockkeeper.servers.fault.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The links of one client to the servers of an ensemble, which can be cut one by one. */
final class Links implements AutoCloseable {

  /** Longer than an ensemble may need to choose another leader. */
  private static final Duration LEASE = Duration.ofSeconds(60);

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final List<ZooKeeperServer> servers;
  private final List<TcpProxy> proxies;

  Links(ZooKeeperEnsemble ensemble) {
    servers = ensemble.servers();
    proxies =
        servers.stream().map(server -> new TcpProxy(server.address(), server.port())).toList();
  }

  /** Returns the client, which chooses a server for itself. */
  Lockkeeper client(String namespace) {
    String hosts =
        proxies.stream()
            .map(proxy -> ZooKeeperServer.HOST + ":" + proxy.port())
            .collect(Collectors.joining(","));
    return Lockkeeper.builder()
        .namespace(namespace)
        .lease(LEASE)
        .connect("zookeeper://" + hosts + "?connectTimeout=20s");
  }

  /** Returns the client, which has chosen this server, and may change to any other. */
  Lockkeeper clientAt(ZooKeeperServer server, String namespace) {
    TcpProxy wanted = proxies.get(servers.indexOf(server));
    proxies.stream().filter(proxy -> proxy != wanted).forEach(TcpProxy::refuse);
    try {
      return client(namespace);
    } finally {
      proxies.forEach(TcpProxy::heal);
    }
  }

  /** Returns the link that is in use, once there is one. */
  TcpProxy used() {
    return await()
        .atMost(LIMIT)
        .until(
            () -> proxies.stream().filter(proxy -> proxy.connections() > 0).findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  @Override
  public void close() {
    proxies.forEach(TcpProxy::close);
  }
}
