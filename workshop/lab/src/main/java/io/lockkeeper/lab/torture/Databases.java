package io.lockkeeper.lab.torture;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.servers.PostgresPair;
import io.lockkeeper.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Faults of databases: settings that an administrator changes, and a standby that takes over. */
final class Databases {

  private static final String DISCONNECT =
      "select pg_terminate_backend(pid) from pg_stat_activity"
          + " where backend_type = 'client backend' and pid <> pg_backend_pid()";

  private Databases() {}

  /** Adds the setting that a former primary has which keeps its connections. */
  static StoreUnderTest readOnly(StoreUnderTest store, String adminUrl) {
    return store.can(
        Fault.READ_ONLY,
        () -> run(adminUrl, "set global read_only = 1"),
        () -> run(adminUrl, "set global read_only = 0"));
  }

  /** Adds the same of PostgreSQL, and another default schema, empty or with equal tables. */
  static StoreUnderTest postgres(StoreUnderTest store, Supplier<String> adminUrl) {
    return store
        .can(
            Fault.READ_ONLY,
            () -> makeReadOnly(adminUrl.get(), true),
            () -> makeReadOnly(adminUrl.get(), false))
        .can(
            Fault.SEARCH_PATH,
            (Random random) -> leadElsewhere(adminUrl.get(), random),
            () ->
                run(
                    adminUrl.get(),
                    "alter role postgres reset search_path",
                    "alter database postgres reset search_path",
                    DISCONNECT));
  }

  private static void makeReadOnly(String adminUrl, boolean wish) {
    run(
        adminUrl,
        "alter system set default_transaction_read_only = " + wish,
        "select pg_reload_conf()");
  }

  private static void leadElsewhere(String adminUrl, Random random) {
    String whose = random.nextBoolean() ? "role" : "database";
    String schema = random.nextBoolean() ? "torture_empty" : "torture_other";
    if (schema.equals("torture_other")) {
      String url = StoresUnderTest.with(adminUrl, "lockkeeper.schema=" + schema);
      Lockkeeper.builder().connect(url).close();
    }
    run(
        adminUrl,
        "create schema if not exists " + schema,
        "alter %s postgres set search_path = %s".formatted(whose, schema),
        DISCONNECT);
  }

  /** Carries out statements, each in a transaction of its own. */
  static void run(String url, String... statements) {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * A PostgreSQL server and its standby, which takes over when the other one has died; that one is
   * then made a standby, so that the next can die.
   */
  record Standby(PostgresPair pair, Clocks clocks) {

    /** Adds what can be done to the two. */
    StoreUnderTest to(StoreUnderTest store) {
      if (Clocks.isAvailable()) {
        store
            .can(
                Fault.SKEWED_FAIL_OVER, (Random it) -> skewAndKill(Clocks.NEAR, it), this::takeOver)
            .can(
                Fault.FAR_SKEWED_FAIL_OVER,
                (Random random) -> skewAndKill(Clocks.FAR, random),
                this::takeOver);
      }
      return store
          .can(Fault.KILL_SERVER, () -> pair.primary().kill(), this::takeOver)
          .can(Fault.KILL_FOLLOWER, () -> pair.standby().kill(), this::restartStandby)
          .can(Fault.FREEZE_SERVER, () -> pair.primary().freeze(), this::thaw)
          .can(Fault.FAIL_OVER, this::switchOver, () -> {})
          .can(Fault.STALE_FAIL_OVER, pair::cutOff, this::promoteCutOff);
    }

    private void skewAndKill(List<Duration> skews, Random random) {
      clocks.shift(number(pair.standby()), number(pair.primary()), skews, random);
      pair.primary().kill();
    }

    private int number(PostgresServer server) {
      return pair.servers().indexOf(server);
    }

    private void takeOver() {
      pair.promote();
      pair.takeBack();
      clocks.bringNear(number(pair.standby()), number(pair.primary()));
    }

    private void restartStandby() {
      pair.standby().restart();
      pair.awaitFollowing();
    }

    private void thaw() {
      pair.primary().thawIfFrozen();
      pair.awaitFollowing();
    }

    private void switchOver() {
      pair.switchOver();
      pair.takeBack();
    }

    private void promoteCutOff() {
      pair.primary().kill();
      pair.promote();
      pair.takeBack();
    }
  }
}
