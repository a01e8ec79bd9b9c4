package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.PermitLease;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.testkit.tck.Delays;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections of a pool that the application has given back with other settings. */
@Tag("full")
class UsedConnectionsTest {

  /** The kinds of databases that have schemas. */
  enum Database {
    POSTGRESQL,
    MARIADB,
    MYSQL;

    /** Returns a URL without parameters of this library. */
    String url() {
      return switch (this) {
        case POSTGRESQL -> Databases.postgres().jdbcUrl();
        case MARIADB -> Databases.mariaDb().jdbcUrl();
        case MYSQL -> Databases.mySqlUrl();
      };
    }

    /** Returns a URL whose connections begin in a schema. */
    String in(String schema) {
      return this == POSTGRESQL
          ? url() + "&currentSchema=" + schema
          : url().replaceFirst("(//[^/]+/)\\w*", "$1" + schema);
    }

    String use(String schema) {
      return this == POSTGRESQL ? "set search_path to " + schema : "use " + schema;
    }

    /** Makes schemas, each with all tables. */
    void makeSchemas(String... schemas) throws SQLException {
      for (String schema : schemas) {
        run(url(), "create schema " + schema);
        Lockkeeper.connect(in(schema)).close();
      }
    }

    /** What applications do to a connection and do not take back. */
    List<String> uses() {
      return this == POSTGRESQL
          ? List.of(
              "set search_path to used_too",
              "set time zone 'Asia/Tokyo'",
              "set default_transaction_isolation to 'serializable'",
              "set search_path to nowhere",
              "set standard_conforming_strings to off",
              "set default_transaction_isolation to 'repeatable read'",
              "set lock_timeout to 20",
              "set bytea_output to escape",
              "begin",
              "set datestyle to german",
              "set transform_null_equals to on",
              "set extra_float_digits to -15",
              "set enable_indexscan to off",
              "set default_transaction_isolation to 'read uncommitted'")
          : List.of(
              "use used_too",
              "set time_zone = '+09:00'",
              "set session transaction isolation level serializable",
              "set autocommit = 0",
              "set sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'",
              "set session transaction isolation level read uncommitted",
              "start transaction",
              "set sql_mode = ''",
              "set innodb_lock_wait_timeout = 1",
              "set names latin1",
              "set sql_mode = 'ANSI,PIPES_AS_CONCAT,STRICT_ALL_TABLES'",
              "set sql_select_limit = 1",
              "set session transaction isolation level repeatable read",
              "set sql_safe_updates = 1");
    }
  }

  private static void run(String url, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(4);
    return new HikariDataSource(config);
  }

  /** Uses every connection of a pool. */
  private static void useAll(HikariDataSource pool, int connections, String sql)
      throws SQLException {
    List<Connection> all = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      Connection connection = pool.getConnection();
      all.add(connection);
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
    }
    for (Connection connection : all) {
      connection.close();
    }
  }

  private static Lockkeeper client(JdbcStores stores) {
    return Lockkeeper.builder().connect(stores);
  }

  /** A pool whose connections have been used in another way each time they are given. */
  private static final class UsedSource extends FollowedSource {

    private final List<String> uses;
    private final AtomicInteger given = new AtomicInteger();

    UsedSource(HikariDataSource pool, List<String> uses) {
      super(pool);
      this.uses = uses;
    }

    @Override
    Connection open() throws SQLException {
      Connection connection = super.open();
      int number = given.getAndIncrement();
      if (number > 0) { // not the first: the client connects with that
        try (Statement statement = connection.createStatement()) {
          statement.execute(uses.get(number % uses.size()));
        }
      }
      return connection;
    }

    @Override
    Follower follow(Connection connection) {
      return new Follower() {
        @Override
        Object around(String sql, Sending sending) throws Throwable {
          return sending.send();
        }
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void theSchemaIsTheOneThatAClientConnectedIn(Database database) throws Exception {
    String one = "tenant_a";
    String other = "tenant_b";
    database.makeSchemas(one, other);
    try (HikariDataSource first = pool(database.in(one));
        HikariDataSource second = pool(database.in(one));
        Lockkeeper keeper = client(JdbcStores.from(first).withoutPush());
        Lockkeeper rival = client(JdbcStores.from(second).withoutPush())) {
      useAll(second, 4, database.use(other));
      try (Lease lease = keeper.lock("nightly").acquire()) {
        assertThat(rival.lock("nightly").tryAcquire(Duration.ofMillis(300))).isEmpty();
        assertThat(lease.isValid()).isTrue();
        useAll(first, 4, database.use(other));
        assertThat(keeper.lock("other").tryAcquire(Delays.patience())).isPresent();
      }
      assertThat(rival.lock("nightly").tryAcquire(Delays.patience())).isPresent();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aConnectionThatWasMovedToOtherTablesIsRefusedUnlessTheSchemaIsSet(Database database)
      throws Exception {
    String one = "moved_from";
    String other = "moved_to";
    database.makeSchemas(one, other);
    try (HikariDataSource pool = pool(database.in(one));
        Lockkeeper keeper = client(JdbcStores.from(pool).withoutPush())) {
      useAll(pool, 4, database.use(other));

      assertThatExceptionOfType(StoreRefusedException.class)
          .isThrownBy(() -> client(JdbcStores.from(pool)))
          .withMessageContaining(one)
          .withMessageContaining(other)
          .withMessageContaining(
              "JdbcStores.withSchema, lockkeeper.schema in a URL, or the property");

      try (Lockkeeper second = client(JdbcStores.from(pool).withoutPush().withSchema(one));
          Lockkeeper byUrl = Lockkeeper.connect(database.url() + "&lockkeeper.schema=" + one)) {
        Lease lease = keeper.lock("a").acquire();
        assertThat(second.lock("a").isLocked()).isTrue();
        assertThat(byUrl.lock("a").isLocked()).isTrue();
        lease.release();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSchemaOfItsOwnIsCreatedWithTheTables(Database database) throws Exception {
    String url = database.url() + "&lockkeeper.schema=Its_own&lockkeeper.tables=";
    assertThatExceptionOfType(StoreRefusedException.class)
        .isThrownBy(() -> Lockkeeper.connect(url + "expect"))
        .withMessageContaining("has no schema Its_own");

    try (Lockkeeper keeper = Lockkeeper.connect(url + "create");
        Lockkeeper other = Lockkeeper.connect(url + "expect")) {
      Lease lease = keeper.lock("a").acquire();
      assertThat(other.lock("a").isLocked()).isTrue();
      lease.release();
      assertThat(other.semaphore("s", 2).tryAcquire(Delays.patience())).isPresent();
      assertThat(other.counter("c").incrementAndGet()).isEqualTo(1);
    }
  }

  @Test
  void aRoleThatMayNotUseTheTablesIsRefusedWithTheTable() throws Exception {
    Database.POSTGRESQL.makeSchemas("of_roles");
    run(Database.POSTGRESQL.url(), "create role nobody_much");
    run(Database.POSTGRESQL.url(), "grant usage on schema of_roles to nobody_much");
    try (HikariDataSource pool = pool(Database.POSTGRESQL.in("of_roles"));
        Lockkeeper keeper = client(JdbcStores.from(pool).withoutPush())) {
      useAll(pool, 4, "set role nobody_much");

      assertThatExceptionOfType(StoreRefusedException.class)
          .isThrownBy(() -> keeper.lock("a").tryLock(Delays.patience()))
          .withMessageContaining("lockkeeper_resource")
          .satisfies(e -> assertThat(e.problem()).isEqualTo(StoreProblem.DENIED));
      useAll(pool, 4, "reset role");
    }
  }

  /** As "$user", public does where a user has a schema of the same name. */
  @Test
  void tablesInALaterSchemaOfTheSearchPathAreFound() throws Exception {
    Database.POSTGRESQL.makeSchemas("later");
    run(Database.POSTGRESQL.url(), "create schema sooner");

    try (Lockkeeper keeper =
        Lockkeeper.connect(Database.POSTGRESQL.in("sooner,later") + "&lockkeeper.tables=expect")) {
      keeper.lock("a").acquire().release();
    }
  }

  @Test
  void sqliteHasNoSchemas() {
    assertThatExceptionOfType(StoreRefusedException.class)
        .isThrownBy(
            () -> Lockkeeper.connect(Databases.sqlite("schema") + "?lockkeeper.schema=locks"))
        .withMessageContaining("leave out")
        .withMessageContaining("lockkeeper.schema");
  }

  @ParameterizedTest
  @EnumSource
  void noSettingOfAConnectionBreaksAnything(Database database) throws Exception {
    database.makeSchemas("used", "used_too");
    String name = "o'brien \\' \"größer\" 🔒";
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try (HikariDataSource pool = pool(database.in("used"));
        Lockkeeper one =
            client(JdbcStores.from(new UsedSource(pool, database.uses())).withoutPush());
        Lockkeeper other =
            client(JdbcStores.from(new UsedSource(pool, database.uses())).withoutPush());
        Lockkeeper third = Lockkeeper.connect(database.in("used"))) {
      AtomicInteger holders = new AtomicInteger();
      AtomicInteger permits = new AtomicInteger();
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (Lockkeeper keeper : List.of(one, other, third)) {
        for (int thread = 0; thread < 2; thread++) {
          all.add(
              CompletableFuture.runAsync(
                  () -> {
                    for (int i = 0; i < 15; i++) {
                      round(keeper, name, holders, permits);
                    }
                  },
                  threads));
        }
      }
      CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
          .get(Delays.patience().toMillis() * 2, TimeUnit.MILLISECONDS);

      for (Lockkeeper keeper : List.of(one, other, third)) {
        assertThat(keeper.counter(name).get()).isEqualTo(90);
        assertThat(keeper.sharedValue(name).get().orElseThrow().text()).isEqualTo(name);
        assertThat(keeper.lock(name).isLocked()).isFalse();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void round(
      Lockkeeper keeper, String name, AtomicInteger holders, AtomicInteger permits) {
    DistributedLock lock = keeper.fairLock(name);
    lock.lock();
    try {
      assertThat(holders.incrementAndGet()).isEqualTo(1);
      holders.decrementAndGet();
    } finally {
      lock.unlock();
    }
    DistributedSemaphore semaphore = keeper.semaphore(name, 2);
    try (PermitLease lease = semaphore.acquireAsync().toCompletableFuture().join()) {
      assertThat(permits.incrementAndGet()).isBetween(1, 2);
      assertThat(lease.isValid()).isTrue();
      permits.decrementAndGet();
    }
    keeper.counter(name).incrementAndGet();
    keeper.sharedValue(name).set(name);
  }
}
