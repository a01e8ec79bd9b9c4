package io.lockkeeper.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.jdbc.JdbcStores;
import java.time.Duration;
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

  /** Something that writes a report. */
  private static final class Reports {

    private int written;

    void write() {
      written++;
    }
  }

  private static boolean report(Lockkeeper keeper, Reports reports) throws InterruptedException {
    boolean done = keeper.once("nightly-report", Duration.ofMinutes(5), reports::write);
    return done;
  }

  @Test
  void aReportIsMadeOnceInAPeriod() throws InterruptedException {
    Reports reports = new Reports();
    try (Lockkeeper keeper = Lockkeeper.connect("memory:guide-report")) {
      assertThat(report(keeper, reports)).isTrue();
      assertThat(report(keeper, reports)).isFalse();
    }
    assertThat(reports.written).isOne();
  }
}
