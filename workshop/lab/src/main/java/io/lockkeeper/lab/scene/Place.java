package io.lockkeeper.lab.scene;

import io.lockkeeper.lab.oversell.EmbeddedStore;
import io.lockkeeper.lab.oversell.EmbeddedStore.Running;
import io.lockkeeper.lab.oversell.shop.Shops;
import io.lockkeeper.servers.DynamoDbServer;
import io.lockkeeper.servers.ServerStartException;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A store that scenes need: a line for each, from which the scenes of Lockkeeper's locks there are
 * made.
 */
enum Place {
  /** Redis, for locks and for stock. */
  REDIS("Redis", "Redis", EmbeddedStore.REDIS, ""),
  /** ZooKeeper. */
  ZOOKEEPER("ZooKeeper", "ZooKeeper", EmbeddedStore.ZOOKEEPER, ""),
  /** etcd. */
  ETCD("Etcd", "etcd", EmbeddedStore.ETCD, ""),
  /** The database that has the stock, for locks too. */
  SQL("Sql", "the stock's database", EmbeddedStore.MARIADB, ""),
  /** PostgreSQL, for locks. */
  POSTGRESQL("PostgreSql", "PostgreSQL", EmbeddedStore.POSTGRESQL, "jdbc:postgresql:"),
  /** MySQL, for locks. */
  MYSQL("MySql", "MySQL", EmbeddedStore.MYSQL, "jdbc:mysql:"),
  /** A file of SQLite's that all instances open, for locks. */
  SQLITE("Sqlite", "SQLite", EmbeddedStore.SQLITE, "jdbc:sqlite:"),
  /** DynamoDB, for locks: it notifies nobody. */
  DYNAMODB("DynamoDb", "DynamoDB", null, "dynamodb:");

  private final String suffix;
  private final String title;
  private final @Nullable EmbeddedStore embedded;
  private final String scheme;

  Place(String suffix, String title, @Nullable EmbeddedStore embedded, String scheme) {
    this.suffix = suffix;
    this.title = title;
    this.embedded = embedded;
    this.scheme = scheme;
  }

  /** Returns the end of its scenes' names. */
  String suffix() {
    return suffix;
  }

  /** Returns its name for people. */
  String title() {
    return title;
  }

  /** Returns whether the scenes there are left out on a machine that does not have it. */
  boolean isExtra() {
    return !scheme.isEmpty();
  }

  /**
   * Starts it.
   *
   * @throws ServerStartException if this machine does not have it
   */
  Running start() {
    if (embedded != null) {
      return embedded.start();
    } else if (!DynamoDbServer.isAvailable()) {
      throw new ServerStartException(DynamoDbServer.WHY_NONE, null);
    }
    DynamoDbServer server = DynamoDbServer.start();
    return new Running(server.url(), server);
  }

  /** Returns what is started. */
  String server() {
    return embedded == null ? title : embedded.title();
  }

  /** Returns what a user can do if it does not start. */
  String remedy() {
    return embedded == null ? "it needs Linux on x86-64" : embedded.remedy();
  }

  /**
   * Returns the place that a URL is of.
   *
   * @throws IllegalArgumentException if it is of none
   */
  static Place of(String url) {
    Optional<Place> extra =
        Stream.of(values()).filter(it -> it.isExtra() && url.startsWith(it.scheme)).findFirst();
    if (extra.isPresent() && extra.get().embedded == null) {
      return extra.get();
    }
    Shops.check(url);
    return extra.orElseGet(() -> valueOf(Shops.kind(url).name()));
  }
}
