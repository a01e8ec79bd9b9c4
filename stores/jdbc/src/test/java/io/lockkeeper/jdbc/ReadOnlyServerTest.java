package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.servers.MariaDbServer;
import io.lockkeeper.servers.MySqlServer;
import io.lockkeeper.servers.PostgresServer;
import io.lockkeeper.servers.SqlBinaries;
import io.lockkeeper.servers.SqlServer;
import io.lockkeeper.servers.fault.TcpProxy;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Finding;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Threads;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that turns read-only, as a primary does that another one takes over from. */
@Tag("full")
class ReadOnlyServerTest {

  private static final String MESSAGE = "the server is read-only";

  /** By database and role: tests leave a server as it was. */
  private static final Map<String, SqlServer> SERVERS = new ConcurrentHashMap<>();

  @AfterAll
  static void stopServers() {
    SERVERS.values().forEach(SqlServer::close);
    SERVERS.clear();
  }

  /** The databases, as an account sees them that may not write to a read-only server. */
  enum Database {
    POSTGRESQL,
    MARIADB,
    MYSQL;

    /** The server that was the primary first. */
    SqlServer former() {
      return SERVERS.computeIfAbsent(this + " former", role -> start());
    }

    /** The server that takes over from it. */
    SqlServer next() {
      return SERVERS.computeIfAbsent(this + " next", role -> start());
    }

    private SqlServer start() {
      SqlBinaries binaries =
          switch (this) {
            case POSTGRESQL -> PostgresServer.binaries();
            case MARIADB -> MariaDbServer.binaries();
            case MYSQL -> MySqlServer.binaries();
          };
      Databases.require(binaries);
      SqlServer server =
          switch (this) {
            case POSTGRESQL -> PostgresServer.start();
            case MARIADB -> MariaDbServer.start();
            case MYSQL -> MySqlServer.start();
          };
      if (this != POSTGRESQL) {
        run(server, "create user app");
        run(server, "grant all on lockkeeper.* to app");
      }
      return server;
    }

    String url(SqlServer server) {
      return this == POSTGRESQL
          ? server.jdbcUrl()
          : server.jdbcUrl().replaceFirst("user=\\w+", "user=app");
    }

    void makeReadOnly(SqlServer server, boolean wish) {
      if (this == POSTGRESQL) {
        run(server, "alter system set default_transaction_read_only = " + wish);
        run(server, "select pg_reload_conf()");
      } else {
        run(server, "set global read_only = " + (wish ? 1 : 0));
      }
    }
  }

  private static void run(SqlServer server, String sql) {
    try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(4);
    return new HikariDataSource(config);
  }

  private static LockkeeperBuilder builder() {
    return Lockkeeper.builder().lease(Delays.millis(1_000)).storeTimeout(Delays.patience());
  }

  private static void lockOnce(Lockkeeper keeper) throws InterruptedException {
    assertThat(keeper.lock("a").tryAcquire(Delays.patience()))
        .hasValueSatisfying(lease -> lease.release());
  }

  @ParameterizedTest
  @EnumSource
  void itIsSaidOfAServerThatItIsReadOnlyAndTheClientRecovers(Database database) throws Exception {
    SqlServer server = database.former();
    try (Lockkeeper keeper = builder().connect(database.url(server));
        HikariDataSource source = pool(database.url(server));
        Lockkeeper pooled = builder().connect(JdbcStores.from(source).withoutPush())) {
      lockOnce(keeper);
      database.makeReadOnly(server, true);

      for (Lockkeeper each : new Lockkeeper[] {keeper, pooled}) {
        await()
            .atMost(Delays.patience())
            .untilAsserted(
                () ->
                    assertThatExceptionOfType(StoreUnavailableException.class)
                        .isThrownBy(() -> each.admin().ping(Delays.patience()))
                        .withMessageContaining(MESSAGE));
        assertThatExceptionOfType(StoreUnavailableException.class)
            .isThrownBy(() -> each.lock("a").tryLock())
            .withMessageContaining(MESSAGE);
      }
      assertThatExceptionOfType(StoreUnavailableException.class)
          .isThrownBy(() -> builder().connect(database.url(server)))
          .withMessageContaining(MESSAGE);
      assertThatExceptionOfType(StoreUnavailableException.class)
          .isThrownBy(() -> builder().connect(JdbcStores.from(source)))
          .withMessageContaining(MESSAGE);
      assertThat(role(database.url(server)).verdict()).isEqualTo(Finding.Verdict.FAIL);

      database.makeReadOnly(server, false);
      for (Lockkeeper each : new Lockkeeper[] {keeper, pooled}) {
        lockOnce(each);
        assertThat(each.admin().ping(Delays.patience())).isPositive();
      }
      assertThat(role(database.url(server)).verdict()).isEqualTo(Finding.Verdict.OK);
    }
  }

  private static Finding role(String url) {
    StoreContext context =
        new StoreContext(
            "doctor",
            "test client",
            "doctor",
            Timings.DEFAULT,
            new Environment(System::nanoTime, Threads::scheduler, new Random(1)));
    return new JdbcStoreProvider()
        .doctor(url).orElseThrow().examine(context).stream()
            .filter(finding -> finding.subject().equals("role"))
            .findFirst()
            .orElseThrow();
  }

  private void takesOver(Database database, Function<String, Lockkeeper> connecting)
      throws Exception {
    SqlServer former = database.former();
    SqlServer next = database.next();
    try (TcpProxy proxy = new TcpProxy("127.0.0.1", former.port())) {
      Lockkeeper.connect(database.url(next)).close(); // makes the tables
      String url = database.url(former).replace(":" + former.port(), ":" + proxy.port());
      try (Lockkeeper keeper = connecting.apply(url)) {
        lockOnce(keeper);
        proxy.leadTo("127.0.0.1", next.port()); // new connections; the others stay
        database.makeReadOnly(former, true);

        lockOnce(keeper);
        assertThat(keeper.admin().ping(Delays.patience())).isPositive();
      }
    } finally {
      database.makeReadOnly(former, false);
    }
  }

  @ParameterizedTest
  @EnumSource
  void connectionsToAFormerPrimaryAreClosed(Database database) throws Exception {
    takesOver(database, url -> builder().connect(url));
  }

  @ParameterizedTest
  @EnumSource
  void aPoolsConnectionsToAFormerPrimaryAreClosed(Database database) throws Exception {
    HikariDataSource[] source = new HikariDataSource[1];
    try {
      takesOver(
          database,
          url -> {
            source[0] = pool(url);
            return builder().connect(JdbcStores.from(source[0]).withoutPush());
          });
    } finally {
      if (source[0] != null) {
        source[0].close();
      }
    }
  }

  /** As after a transaction of the application that only reads. */
  @ParameterizedTest
  @EnumSource
  void aConnectionThatIsReadOnlyByItselfIsClosedToo(Database database) throws Exception {
    SqlServer server = database.former();
    try (HikariDataSource source = pool(database.url(server));
        Lockkeeper keeper = builder().connect(JdbcStores.from(source).withoutPush())) {
      Connection[] all = new Connection[4];
      for (int i = 0; i < all.length; i++) {
        all[i] = source.getConnection();
        try (Statement statement = all[i].createStatement()) {
          statement.execute(
              database == Database.POSTGRESQL
                  ? "set session characteristics as transaction read only"
                  : "set session transaction read only");
        }
      }
      for (Connection connection : all) {
        connection.close();
      }

      lockOnce(keeper);
    }
  }

  @Test
  void aPoolThatIsReadOnlyIsNamed() {
    for (Database database : Database.values()) {
      String url =
          switch (database) {
            case POSTGRESQL -> Databases.postgres().jdbcUrl();
            case MARIADB -> Databases.mariaDb().jdbcUrl();
            case MYSQL -> Databases.mySqlUrl();
          };
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(url);
      config.setReadOnly(true);
      try (HikariDataSource source = new HikariDataSource(config)) {
        assertThatExceptionOfType(StoreUnavailableException.class)
            .as(database.name())
            .isThrownBy(() -> builder().connect(JdbcStores.from(source)))
            .withMessageContaining("readOnly=true");
      }
    }
  }
}
