package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.jdbc.JdbcStores;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What the guide shows of SQL stores and of locks that rest. */
class GuideExamplesTest {

  static void overSql(DataSource dataSource) {
    Lockkeeper keeper = Lockkeeper.builder().connect(JdbcStores.from(dataSource));
    Lockkeeper other = Lockkeeper.connect("jdbc:postgresql://db/app?user=app&password=...");
    keeper.close();
    other.close();
  }

  private int reports;

  private void makeReport() {
    reports++;
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private void report(Lockkeeper keeper, Clock clock, Duration atLeast)
      throws InterruptedException {
    Instant begin = clock.instant();
    Lease lease = keeper.lock("report").acquire();
    makeReport();
    lease.releaseAfter(max(Duration.ZERO, Duration.between(clock.instant(), begin.plus(atLeast))));
  }

  @Test
  void aReportIsMadeOnceInAnHour() throws InterruptedException {
    try (Lockkeeper keeper = Lockkeeper.connect("memory:guide-report")) {
      report(keeper, Clock.systemUTC(), Duration.ofHours(1));
      assertThat(reports).isOne();
      assertThat(keeper.lock("report").tryLock()).isFalse();
    }
  }
}
