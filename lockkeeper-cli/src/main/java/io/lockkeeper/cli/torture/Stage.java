package io.lockkeeper.cli.torture;

import io.lockkeeper.servers.MariaDbServer;
import io.lockkeeper.servers.PostgresServer;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.ServerStartException;
import io.lockkeeper.servers.ZooKeeperServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The store of a run, and how to break it.
 *
 * @param name what it is called
 * @param url where it is
 * @param port the port of its server; 0 if it has none that a network fault could come between
 * @param control what can be done to its server
 * @param isInMemory whether its clients have to live in this JVM
 * @param afterwards how long the consequences of a dead client last
 */
record Stage(
    String name,
    String url,
    int port,
    Optional<Control> control,
    boolean isInMemory,
    Duration afterwards,
    AutoCloseable server)
    implements AutoCloseable {

  /** The kinds of store that can be started here. */
  static final List<String> KINDS =
      List.of("redis", "zookeeper", "postgresql", "mariadb", "sqlite", "memory");

  /** Lease, heartbeat of those who wait, and some. */
  private static final Duration AFTERWARDS = Duration.ofSeconds(6);

  private static final Duration AFTER_SESSIONS = Duration.ofSeconds(12);

  /** What can be done to a server. */
  interface Control {

    void kill();

    void freeze();

    void thaw();

    /** Starts it again with what it had confirmed. */
    void restart();

    /** Starts it again with nothing; false if this kind of server never comes back so. */
    default boolean restartEmpty() {
      return false;
    }
  }

  /**
   * Starts a store of this kind, or uses the one at this URL.
   *
   * @throws ServerStartException if this machine does not have it
   */
  static Stage open(String store) {
    return switch (store) {
      case "redis" -> redis();
      case "zookeeper" -> zooKeeper();
      case "postgresql" -> postgres();
      case "mariadb" -> mariaDb();
      case "sqlite" -> sqlite();
      case "memory" -> plain(store, "memory:torture-" + UUID.randomUUID(), true, () -> {});
      default -> plain(store, store, store.startsWith("memory:"), () -> {});
    };
  }

  private static Stage plain(String name, String url, boolean isInMemory, AutoCloseable server) {
    return new Stage(name, url, 0, Optional.empty(), isInMemory, AFTERWARDS, server);
  }

  private static Stage redis() {
    RedisServer server = RedisServer.builder().appendOnly().start();
    Control control =
        new Control() {
          @Override
          public void kill() {
            server.kill();
          }

          @Override
          public void freeze() {
            server.freeze();
          }

          @Override
          public void thaw() {
            server.thawIfFrozen();
          }

          @Override
          public void restart() {
            server.restart(RedisServer.Data.KEPT);
          }

          @Override
          public boolean restartEmpty() {
            server.restart(RedisServer.Data.LOST);
            return true;
          }
        };
    return of("redis", server.url(), server.port(), control, AFTERWARDS, server);
  }

  private static Stage zooKeeper() {
    ZooKeeperServer server = ZooKeeperServer.builder().durable().start();
    String url = server.url() + "?sessionTimeout=4s";
    Control control =
        new ServerControl(server::kill, server::freeze, server::thawIfFrozen, server::restart);
    return of("zookeeper", url, server.port(), control, AFTER_SESSIONS, server);
  }

  private static Stage postgres() {
    PostgresServer server = PostgresServer.builder().durable().start();
    Control control =
        new ServerControl(server::kill, server::freeze, server::thawIfFrozen, server::restart);
    return of("postgresql", server.jdbcUrl(), server.port(), control, AFTERWARDS, server);
  }

  private static Stage mariaDb() {
    MariaDbServer server = MariaDbServer.builder().durable().start();
    Control control =
        new ServerControl(server::kill, server::freeze, server::thawIfFrozen, server::restart);
    return of("mariadb", server.jdbcUrl(), server.port(), control, AFTERWARDS, server);
  }

  private static Stage of(
      String name,
      String url,
      int port,
      Control control,
      Duration afterwards,
      AutoCloseable server) {
    return new Stage(name, url, port, Optional.of(control), false, afterwards, server);
  }

  private static Stage sqlite() {
    try {
      Path folder = Files.createTempDirectory("lockkeeper-torture-");
      return plain(
          "sqlite",
          "jdbc:sqlite:" + folder.resolve("torture.db"),
          false,
          () -> Folders.delete(folder));
    } catch (IOException e) {
      throw new ServerStartException("no temporary folder: " + e.getMessage(), e);
    }
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

  /** What can be done to a server that keeps its data. */
  private record ServerControl(Runnable killer, Runnable freezer, Runnable thawer, Runnable starter)
      implements Control {

    @Override
    public void kill() {
      killer.run();
    }

    @Override
    public void freeze() {
      freezer.run();
    }

    @Override
    public void thaw() {
      thawer.run();
    }

    @Override
    public void restart() {
      starter.run();
    }
  }
}
