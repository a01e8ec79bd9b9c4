package io.lockkeeper.bench;

import io.lockkeeper.bench.locks.Site;
import io.lockkeeper.servers.EtcdServer;
import io.lockkeeper.servers.MariaDbServer;
import io.lockkeeper.servers.PostgresServer;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.SqlServer;
import io.lockkeeper.servers.SqlServerBuilder;
import io.lockkeeper.servers.ZooKeeperEnsemble;
import io.lockkeeper.servers.ZooKeeperServer;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A running server, or several that are one store, for one run.
 *
 * @param pids the numbers of the servers' processes, which may have children
 * @param description says which server it is, and how it is set up
 * @param redis the server itself, if it is one of Redis
 */
record Arena(
    String url,
    List<Long> pids,
    String description,
    @Nullable RedisServer redis,
    AutoCloseable server)
    implements AutoCloseable {

  /** Two libraries have a pool for each of twenty clients. */
  private static final String MAX_CONNECTIONS = "600";

  private static final Pattern ETCD_VERSION = Pattern.compile("\"etcdserver\":\"([^\"]+)\"");

  static Arena open(Site site) {
    return switch (site) {
      case REDIS -> startRedis();
      case ZOOKEEPER -> zooKeeper();
      case POSTGRESQL -> sql(PostgresServer.builder());
      case MARIADB -> sql(MariaDbServer.builder());
      case ETCD -> etcd();
    };
  }

  private static Arena startRedis() {
    RedisServer server = RedisServer.start();
    String what =
        "Redis "
            + server.info("server").get("redis_version")
            + " on loopback, nothing written to disk";
    return new Arena(server.url(), List.of(server.pid()), what, server, server);
  }

  private static Arena zooKeeper() {
    ZooKeeperServer server = ZooKeeperServer.start();
    String version = server.metrics().getOrDefault("zk_version", "?").split("-", 2)[0];
    String what = "ZooKeeper " + version + ", one server on loopback";
    return new Arena(server.url(), List.of(server.pid()), what, null, server);
  }

  /** Starts three ZooKeeper servers that are one store. */
  static Arena ensemble() {
    ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start();
    return new Arena(
        ensemble.url(),
        ensemble.servers().stream().map(ZooKeeperServer::pid).toList(),
        "ZooKeeper, three servers on loopback",
        null,
        ensemble);
  }

  private static Arena sql(SqlServerBuilder<? extends SqlServer> builder) {
    SqlServer server = builder.option("max_connections", MAX_CONNECTIONS).start();
    String what =
        server.binary()
            + " on loopback, with the settings of the tests' servers and room for "
            + MAX_CONNECTIONS
            + " connections";
    return new Arena(server.jdbcUrl(), List.of(server.pid()), what, null, server);
  }

  private static Arena etcd() {
    EtcdServer server = EtcdServer.start();
    Matcher version = ETCD_VERSION.matcher(server.get("/version"));
    String what =
        "etcd "
            + (version.find() ? version.group(1) : "?")
            + ", one server on loopback, each change synced to disk";
    return new Arena(server.url(), List.of(server.pid()), what, null, server);
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
