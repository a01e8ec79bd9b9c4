package io.lockkeeper.bench.coordinator;

import io.lockkeeper.bench.locks.Site;
import io.lockkeeper.servers.EtcdServer;
import io.lockkeeper.servers.MariaDbServer;
import io.lockkeeper.servers.PostgresServer;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.SqlServer;
import io.lockkeeper.servers.SqlServerBuilder;
import io.lockkeeper.servers.ZooKeeperServer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A running server, all contenders' own for one run, and the probe that watches it. */
sealed interface Arena extends AutoCloseable {

  /** Starts a server. */
  static Arena open(Site site) {
    return switch (site) {
      case REDIS -> new AtRedis();
      case ZOOKEEPER -> new AtZooKeeper();
      case POSTGRESQL -> new AtSql(PostgresServer.builder());
      case MARIADB -> new AtSql(MariaDbServer.builder());
      case ETCD -> new AtEtcd();
    };
  }

  String url();

  /** Returns the number of the server's process; it may have children. */
  long pid();

  /** Says which server it is, and how it is set up. */
  String describe();

  ServerProbe probe();

  @Override
  void close();

  /** A Redis server. */
  final class AtRedis implements Arena {

    private final RedisServer server = RedisServer.start();
    private final RedisProbe probe = new RedisProbe(server.url());

    RedisServer server() {
      return server;
    }

    @Override
    public String url() {
      return server.url();
    }

    @Override
    public long pid() {
      return server.pid();
    }

    @Override
    public String describe() {
      return "Redis " + probe.version() + " on loopback, nothing written to disk";
    }

    @Override
    public RedisProbe probe() {
      return probe;
    }

    @Override
    public void close() {
      probe.close();
      server.close();
    }
  }

  /** A ZooKeeper server, alone. */
  final class AtZooKeeper implements Arena {

    private final ZooKeeperServer server = ZooKeeperServer.start();
    private final ProcessProbe probe =
        new ProcessProbe(server.pid(), () -> metric("zk_packets_received"));

    private double metric(String name) {
      return Double.parseDouble(server.metrics().getOrDefault(name, "NaN"));
    }

    @Override
    public String url() {
      return server.url();
    }

    @Override
    public long pid() {
      return server.pid();
    }

    @Override
    public String describe() {
      String version = server.metrics().getOrDefault("zk_version", "?").split("-", 2)[0];
      return "ZooKeeper " + version + ", one server on loopback";
    }

    @Override
    public ServerProbe probe() {
      return probe;
    }

    @Override
    public void close() {
      server.close();
    }
  }

  /** A database server. */
  final class AtSql implements Arena {

    /** Two libraries have a pool for each of twenty clients. */
    private static final String MAX_CONNECTIONS = "600";

    private final SqlServer server;
    private final ProcessProbe probe;

    private AtSql(SqlServerBuilder<?> builder) {
      server = builder.option("max_connections", MAX_CONNECTIONS).start();
      probe = new ProcessProbe(server.pid(), () -> Double.NaN);
    }

    @Override
    public String url() {
      return server.jdbcUrl();
    }

    @Override
    public long pid() {
      return server.pid();
    }

    @Override
    public String describe() {
      return server.binary()
          + " on loopback, with the settings of the tests' servers and room for "
          + MAX_CONNECTIONS
          + " connections";
    }

    @Override
    public ServerProbe probe() {
      return probe;
    }

    @Override
    public void close() {
      server.close();
    }
  }

  /** An etcd server, alone. */
  final class AtEtcd implements Arena {

    private static final Pattern VERSION = Pattern.compile("\"etcdserver\":\"([^\"]+)\"");

    private final EtcdServer server = EtcdServer.start();
    private final ProcessProbe probe = new ProcessProbe(server.pid(), this::requests);

    /** Counts requests, and what comes within those that stay open. */
    private double requests() {
      return server.metrics().entrySet().stream()
          .filter(metric -> metric.getKey().startsWith("grpc_server_msg_received_total"))
          .mapToDouble(metric -> Double.parseDouble(metric.getValue()))
          .sum();
    }

    @Override
    public String url() {
      return server.url();
    }

    @Override
    public long pid() {
      return server.pid();
    }

    @Override
    public String describe() {
      Matcher version = VERSION.matcher(server.get("/version"));
      return "etcd "
          + (version.find() ? version.group(1) : "?")
          + ", one server on loopback, each change synced to disk";
    }

    @Override
    public ServerProbe probe() {
      return probe;
    }

    @Override
    public void close() {
      server.close();
    }
  }
}
