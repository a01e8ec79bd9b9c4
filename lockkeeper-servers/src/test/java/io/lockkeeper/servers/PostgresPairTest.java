package io.lockkeeper.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.servers.fault.ClockShim;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A standby follows, and takes over. */
class PostgresPairTest {

  private static final String SECONDS = "select extract(epoch from clock_timestamp())::bigint";

  @Test
  void aStandbyHasWhatWasCommittedAndTakesOverWithItsOwnClock() throws SQLException {
    assumeTrue(
        !PostgresServer.binaries().available().isEmpty(), PostgresServer.binaries().whyNone());
    assumeTrue(ClockShim.isAvailable(), "no C compiler");
    try (ClockShim clock = ClockShim.create();
        PostgresPair pair =
            PostgresPair.start(
                PostgresServer.builder(),
                PostgresServer.builder().environment(clock.environment()))) {
      ask(pair.primary().jdbcUrl(), "create table orders as select 17 as id", false);
      await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptions()
          .until(() -> ask(pair.standby().jdbcUrl(), "select id from orders", true) == 17);
      clock.jumpTo(Duration.ofHours(1));
      long before = ask(pair.primary().jdbcUrl(), SECONDS, true);

      pair.primary().kill();
      pair.promote();

      assertThat(ask(pair.jdbcUrl(), SECONDS, true) - before).isBetween(3_600L, 4_000L);
      ask(pair.jdbcUrl(), "insert into orders values (18)", false);
      assertThat(ask(pair.jdbcUrl(), "select max(id) from orders", true)).isEqualTo(18);
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
