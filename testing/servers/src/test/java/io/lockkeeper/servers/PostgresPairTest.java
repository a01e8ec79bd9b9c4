package io.lockkeeper.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.servers.fault.ClockShim;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A standby follows, and takes over. */
@Tag("full")
class PostgresPairTest {

  private static final String SECONDS = "select extract(epoch from clock_timestamp())::bigint";

  @BeforeEach
  void needsPostgres() {
    assumeTrue(
        !PostgresServer.binaries().available().isEmpty(), PostgresServer.binaries().whyNone());
  }

  @Test
  void aStandbyHasWhatWasCommittedAndTakesOverWithItsOwnClock() throws SQLException {
    assumeTrue(ClockShim.isAvailable(), "no C compiler");
    try (ClockShim clock = ClockShim.create();
        PostgresPair pair =
            PostgresPair.start(
                PostgresServer.builder(),
                PostgresServer.builder().environment(clock.environment()))) {
      ask(pair.primary().jdbcUrl(), "create table orders as select 17 as id", false);
      pair.awaitFollowing();
      clock.jumpTo(Duration.ofHours(1));
      long before = ask(pair.primary().jdbcUrl(), SECONDS, true);

      pair.primary().kill();
      pair.promote();

      assertThat(ask(pair.jdbcUrl(), SECONDS, true) - before).isBetween(3_600L, 4_000L);
      ask(pair.jdbcUrl(), "insert into orders values (18)", false);
      assertThat(ask(pair.jdbcUrl(), "select max(id) from orders", true)).isEqualTo(18);
    }
  }

  @Test
  void whoWasThePrimaryIsTakenBackAndTakesOverAgain() throws SQLException {
    try (PostgresPair pair =
        PostgresPair.start(PostgresServer.builder(), PostgresServer.builder())) {
      PostgresServer first = pair.primary();
      ask(pair.jdbcUrl(), "create table orders as select 17 as id", false);
      pair.awaitFollowing();
      pair.cutOff();
      ask(pair.jdbcUrl(), "insert into orders values (18)", false);
      first.kill();
      pair.promote();
      pair.takeBack();
      assertThat(pair.standby()).isSameAs(first);
      ask(pair.primary().jdbcUrl(), "insert into orders values (19)", false);
      pair.switchOver();
      pair.takeBack();

      assertThat(pair.primary()).isSameAs(first);
      assertThat(ask(first.jdbcUrl(), "select sum(id) from orders", true)).isEqualTo(17 + 19);
      assertThat(ask(pair.standby().jdbcUrl(), "select count(*) from orders", true)).isEqualTo(2);
    }
  }

  private static long ask(String url, String sql, boolean answers) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      if (!answers) {
        return statement.executeUpdate(sql);
      }
      try (ResultSet rows = statement.executeQuery(sql)) {
        rows.next();
        return rows.getLong(1);
      }
    }
  }
}
