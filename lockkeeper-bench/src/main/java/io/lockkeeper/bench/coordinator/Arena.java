package io.lockkeeper.bench.coordinator;

import io.lockkeeper.bench.locks.Site;
import io.lockkeeper.servers.PostgresServer;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.ZooKeeperServer;

/** A running server, all contenders' own for one run, and the probe that watches it. */
sealed interface Arena extends AutoCloseable {

  /** Starts a server. */
  static Arena open(Site site) {
    return switch (site) {
      case REDIS -> new AtRedis();
      case ZOOKEEPER -> new AtZooKeeper();
      case POSTGRESQL -> new AtPostgres();
    };
  }

  String url();

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

  /** A PostgreSQL server. */
  final class AtPostgres implements Arena {

    private final PostgresServer server = PostgresServer.start();
    private final ProcessProbe probe = new ProcessProbe(server.pid(), () -> Double.NaN);

    @Override
    public String url() {
      return server.jdbcUrl();
    }

    @Override
    public String describe() {
      return server.binary() + " on loopback, with the settings of the tests' servers";
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
