package io.lockkeeper.lab.oversell;

import io.lockkeeper.lab.oversell.shop.StoreKind;
import io.lockkeeper.servers.EtcdServer;
import io.lockkeeper.servers.MariaDbServer;
import io.lockkeeper.servers.MySqlServer;
import io.lockkeeper.servers.PostgresServer;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.ServerStartException;
import io.lockkeeper.servers.ZooKeeperServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A store that is started for a run, in the order in which {@code --all} takes them. */
public enum EmbeddedStore {
  /** A Redis server. */
  REDIS(StoreKind.REDIS, "Redis", "install redis-server") {
    @Override
    public Running start() {
      RedisServer server = RedisServer.start();
      return new Running(server.url(), server);
    }
  },

  /** A ZooKeeper server. */
  ZOOKEEPER(StoreKind.ZOOKEEPER, "ZooKeeper", "it needs a JVM and memory") {
    @Override
    public Running start() {
      ZooKeeperServer server = ZooKeeperServer.start();
      return new Running(server.url(), server);
    }
  },

  /** An etcd server. */
  ETCD(StoreKind.ETCD, "etcd", "install etcd-server") {
    @Override
    public Running start() {
      EtcdServer server = EtcdServer.start();
      return new Running(server.url(), server);
    }
  },

  /** A MariaDB server. */
  MARIADB(StoreKind.SQL, "MariaDB", "install mariadb-server") {
    @Override
    public Running start() {
      MariaDbServer server = MariaDbServer.start();
      return new Running(server.jdbcUrl(), server);
    }
  },

  /** A PostgreSQL server. */
  POSTGRESQL(StoreKind.SQL, "PostgreSQL", "install postgresql") {
    @Override
    public Running start() {
      PostgresServer server = PostgresServer.start();
      return new Running(server.jdbcUrl(), server);
    }
  },

  /** A MySQL server, by MariaDB's driver. Not with {@code --all}: it does as MariaDB does. */
  MYSQL(StoreKind.SQL, "MySQL", "it needs libaio and Linux on x86-64") {
    @Override
    public Running start() {
      MySqlServer server = MySqlServer.start();
      return new Running(server.mariaDbUrl(), server);
    }
  },

  /** A file of SQLite's, which needs no server. */
  SQLITE(StoreKind.SQL, "SQLite", "") {
    @Override
    public Running start() {
      try {
        Path folder = Files.createTempDirectory("lockkeeper-sqlite-");
        return new Running(
            "jdbc:sqlite:" + folder.resolve("oversell.db"), () -> deleteWithContents(folder));
      } catch (IOException e) {
        throw new ServerStartException("no temporary folder: " + e.getMessage(), e);
      }
    }
  };

  /**
   * A store at work.
   *
   * @param url where it is
   * @param server ends it
   */
  public record Running(String url, AutoCloseable server) {}

  private final StoreKind kind;
  private final String title;
  private final String remedy;

  EmbeddedStore(StoreKind kind, String title, String remedy) {
    this.kind = kind;
    this.title = title;
    this.remedy = remedy;
  }

  /**
   * Starts it.
   *
   * @throws ServerStartException if this machine does not have it
   */
  public abstract Running start();

  /** Returns those that {@code --all} takes. */
  static Set<EmbeddedStore> ofAll() {
    return EnumSet.complementOf(EnumSet.of(MYSQL));
  }

  /** Returns the one that is called so, in small letters. */
  static Optional<EmbeddedStore> named(String name) {
    return Stream.of(values()).filter(store -> store.lowerCase().equals(name)).findFirst();
  }

  /** Returns the names of all, in small letters. */
  static String names() {
    return Stream.of(values()).map(EmbeddedStore::lowerCase).collect(Collectors.joining(", "));
  }

  private String lowerCase() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns what kind of store it is. */
  StoreKind kind() {
    return kind;
  }

  /** Returns its name for people. */
  public String title() {
    return title;
  }

  /** Returns what a user can do if it does not start. */
  public String remedy() {
    return remedy;
  }

  private static void deleteWithContents(Path folder) {
    try (Stream<Path> paths = Files.walk(folder)) {
      List<Path> contents = paths.sorted(Comparator.reverseOrder()).toList();
      for (Path path : contents) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
