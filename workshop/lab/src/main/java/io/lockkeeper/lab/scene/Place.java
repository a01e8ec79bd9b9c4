package io.lockkeeper.lab.scene;

import io.lockkeeper.lab.process.Folders;
import io.lockkeeper.servers.DynamoDbServer;
import io.lockkeeper.servers.EtcdServer;
import io.lockkeeper.servers.MariaDbServer;
import io.lockkeeper.servers.MySqlServer;
import io.lockkeeper.servers.PostgresServer;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.ServerStartException;
import io.lockkeeper.servers.ZooKeeperServer;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A store that scenes need: a line for each, from which the scenes of Lockkeeper's locks there are
 * made.
 */
enum Place {
  /** Redis, for locks and for stock. */
  REDIS("Redis", "Redis", "redis:", "install redis-server"),
  ZOOKEEPER("ZooKeeper", "ZooKeeper", "zookeeper:", "it needs a JVM and memory"),
  ETCD("Etcd", "etcd", "etcd:", "install etcd-server"),
  /** The database that has the stock, for locks too. */
  SQL("Sql", "the stock's database", "jdbc:mariadb:", "install mariadb-server"),
  POSTGRESQL("PostgreSql", "PostgreSQL", "jdbc:postgresql:", "install postgresql"),
  MYSQL("MySql", "MySQL", "jdbc:mysql:", "it needs libaio and Linux on x86-64"),
  /** A file of SQLite's that all instances open. */
  SQLITE("Sqlite", "SQLite", "jdbc:sqlite:", ""),
  /** DynamoDB: it notifies nobody. */
  DYNAMODB("DynamoDb", "DynamoDB", "dynamodb:", "it needs Linux on x86-64");

  /**
   * A store at work.
   *
   * @param url where it is
   * @param server ends it
   */
  record Running(String url, AutoCloseable server) {}

  private final String suffix;
  private final String title;
  private final String scheme;
  private final String remedy;

  Place(String suffix, String title, String scheme, String remedy) {
    this.suffix = suffix;
    this.title = title;
    this.scheme = scheme;
    this.remedy = remedy;
  }

  private static <S extends AutoCloseable> Running running(S server, Function<S, String> url) {
    return new Running(url.apply(server), server);
  }

  private static Running sqlite() {
    Path folder = Folders.temporary("lockkeeper-sqlite-");
    return new Running("jdbc:sqlite:" + folder.resolve("locks.db"), () -> Folders.delete(folder));
  }

  private static Running dynamoDb() {
    if (!DynamoDbServer.isAvailable()) {
      throw new ServerStartException(DynamoDbServer.WHY_NONE, null);
    }
    return running(DynamoDbServer.start(), DynamoDbServer::url);
  }

  /** Returns the end of its scenes' names. */
  String suffix() {
    return suffix;
  }

  String title() {
    return title;
  }

  /** Returns whether the scenes there are left out on a machine that does not have it. */
  boolean isExtra() {
    return compareTo(SQL) > 0;
  }

  /**
   * Starts it.
   *
   * @throws ServerStartException if this machine does not have it; the message says what helps
   */
  Running start() {
    try {
      return switch (this) {
        case REDIS -> running(RedisServer.start(), RedisServer::url);
        case ZOOKEEPER -> running(ZooKeeperServer.start(), ZooKeeperServer::url);
        case ETCD -> running(EtcdServer.start(), EtcdServer::url);
        case SQL -> running(MariaDbServer.start(), MariaDbServer::jdbcUrl);
        case POSTGRESQL -> running(PostgresServer.start(), PostgresServer::jdbcUrl);
        case MYSQL -> running(MySqlServer.start(), MySqlServer::mariaDbUrl);
        case SQLITE -> sqlite();
        case DYNAMODB -> dynamoDb();
      };
    } catch (ServerStartException e) {
      String server = this == SQL ? "MariaDB" : title;
      throw new ServerStartException(
          "cannot start " + server + " (" + e.getMessage() + "); " + remedy, e);
    }
  }

  /**
   * Returns the place that a URL is of.
   *
   * @throws IllegalArgumentException if it is of none
   */
  static Place of(String url) {
    return Stream.of(values())
        .filter(place -> url.startsWith(place.scheme))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "must be a URL such as redis://localhost:6379, zookeeper://localhost:2181,"
                        + " etcd://localhost:2379, jdbc:postgresql://localhost/db or"
                        + " dynamodb://local/"));
  }
}
