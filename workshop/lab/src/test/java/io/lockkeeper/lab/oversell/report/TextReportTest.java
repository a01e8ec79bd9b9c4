package io.lockkeeper.lab.oversell.report;

import static io.lockkeeper.lab.oversell.Rows.givenUp;
import static io.lockkeeper.lab.oversell.Rows.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.lab.oversell.contest.Plan;
import io.lockkeeper.lab.oversell.contest.VariantResult;
import io.lockkeeper.lab.oversell.shop.StoreKind;
import io.lockkeeper.lab.report.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextReportTest {

  private static ContestReport report(VariantResult... rows) {
    return reportOf(
        StoreReport.of(
            StoreKind.REDIS, "Redis", "Redis 7.0.15", "redis://localhost", false, List.of(rows)));
  }

  private static ContestReport reportOf(StoreReport... stores) {
    Plan plan = new Plan(List.of(), 2, 5, 100, 1_000, Duration.ofSeconds(3), 42);
    return new ContestReport(
        "lockkeeper oversell", Instant.EPOCH, Machine.here(), plan, List.of(stores));
  }

  @Test
  void namesStandLeftAndNumbersStandRight() {
    assertThat(TextReport.table(report(row("none", 987, 1_000), row("fairLock", 0, 1_000))))
        .containsExactly(
            "variant   orders/s  wait p50 ms  p99 ms  max ms  commands/order  stock left   sold "
                + " oversold  order violations",
            "none           500            -       -       -            2.00         987  1,000 "
                + "      987                 -",
            "fairLock       500         50.0    99.0     100            2.00           0  1,000 "
                + "        0                 0");
  }

  @Test
  void severalStoresHaveAColumnAndASkippedOneARow() {
    StoreReport sqlite =
        StoreReport.of(
            StoreKind.SQL,
            "SQLite",
            "SQLite 3.50.1",
            "jdbc:sqlite:x",
            true,
            List.of(givenUp("version", 7, "why")));
    ContestReport report =
        reportOf(
            StoreReport.of(
                StoreKind.REDIS, "Redis", "Redis 7.0.15", "", true, List.of(row("lock", 0, 1_000))),
            StoreReport.skipped(StoreKind.SQL, "PostgreSQL", "there is none; install postgresql"),
            sqlite);

    assertThat(TextReport.table(report))
        .containsExactly(
            "store       variant  orders/s  wait p50 ms  p99 ms  max ms  commands/order  stock left "
                + "  sold  oversold  order violations",
            "Redis       lock          500         50.0    99.0     100            2.00           0 "
                + " 1,000         0                 -",
            "PostgreSQL  skipped: there is none; install postgresql",
            "SQLite      version       497         50.0    99.0     100               -           7 "
                + "   993         0                 -");
    assertThat(TextReport.lines(report))
        .contains("SQLite version: 7 orders given up: why")
        .endsWith(
            "Without results, or not all: PostgreSQL; the table says why.",
            "No locked variant lost or oversold an order.");
  }

  @Test
  void theVerdictNamesWhatWentWrong() {
    assertThat(TextReport.lines(report(row("lock", 7, 1_000), row("none", 7, 1_000))))
        .contains("FAILED lock: 7 oversold")
        .noneMatch(line -> line.startsWith("FAILED none"));
  }

  @Test
  void theVerdictSaysWhenAllIsWell() {
    assertThat(TextReport.lines(report(row("none", 7, 1_000), row("lock", 0, 1_000))))
        .endsWith("No locked variant lost or oversold an order.");
  }

  @Test
  void theLockOfOneJvmIsMarkedAsSuch() {
    assertThat(TextReport.lines(report(row("jvm", 0, 1_000))))
        .anyMatch(line -> line.startsWith("jvm: one JVM only"));
  }

  @Test
  void theHeaderSaysWhatIsDoneWhere() {
    assertThat(TextReport.header(report(row("none", 7, 1_000))))
        .isEqualTo(
            "Redis 7.0.15; 2 processes x 5 threads x 100 orders = 1,000 orders on a stock of"
                + " 1,000");
  }
}
