package io.lockkeeper.bench.report;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.results.ContestResult;
import io.lockkeeper.bench.results.Latency;
import io.lockkeeper.bench.results.Round;
import io.lockkeeper.bench.results.Standing;
import io.lockkeeper.lab.report.MarkdownTable;
import io.lockkeeper.lab.report.Numbers;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Contests as Markdown tables. */
final class ContestTables {

  private ContestTables() {}

  /**
   * Returns the table of a contest for one thing.
   *
   * @param rate what is counted
   */
  static String waits(ContestResult contest, String rate) {
    MarkdownTable table =
        new MarkdownTable(
            size(contest),
            rate,
            against(contest),
            "wait p50",
            "p99",
            "max",
            "fairness",
            "commands",
            "server CPU");
    for (Standing standing : contest.standings()) {
      Latency wait = standing.latency();
      table.row(
          standing.contender().label(),
          rate(standing),
          rival(contest, standing),
          Numbers.time(wait.p50Micros()),
          Numbers.time(wait.p99Micros()),
          Numbers.time(wait.maxMicros()),
          Numbers.threeDigits(standing.median(Round::fairness)),
          Numbers.threeDigits(standing.median(Round::commandsPerAcquisition)),
          serverCpu(contest, standing));
    }
    return table + problems(contest) + "\n";
  }

  /** Returns the table of a contest with an order's work under the lock. */
  static String orders(ContestResult contest) {
    MarkdownTable table =
        new MarkdownTable(
            size(contest),
            "orders/s",
            "of one JVM",
            against(contest),
            "wait p50",
            "p99",
            "max",
            "fairness",
            "orders lost");
    for (Standing standing : contest.standings()) {
      Latency wait = standing.latency();
      table.row(
          standing.contender().label(),
          rate(standing),
          Numbers.percent(
              contest
                  .standing(Contender.REENTRANT_LOCK)
                  .map(one -> standing.medianRatio(one, Round::perSecond))
                  .orElse(Double.NaN)),
          rival(contest, standing),
          Numbers.time(wait.p50Micros()),
          Numbers.time(wait.p99Micros()),
          Numbers.time(wait.maxMicros()),
          Numbers.threeDigits(standing.median(Round::fairness)),
          Numbers.count(standing.sum(Round::lostOrders)));
    }
    return table + problems(contest) + "\n";
  }

  /** Returns the table of a contest that measures pairs of lock and unlock. */
  static String pairs(ContestResult contest) {
    MarkdownTable table =
        new MarkdownTable(
            "lock and unlock",
            "pairs/s",
            against(contest),
            "p50",
            "p99",
            "p99.9",
            "max",
            "server CPU");
    for (Standing standing : contest.standings()) {
      Latency pair = standing.latency();
      table.row(
          standing.contender().label(),
          rate(standing),
          rival(contest, standing),
          Numbers.time(pair.p50Micros()),
          Numbers.time(pair.p99Micros()),
          Numbers.time(pair.p999Micros()),
          Numbers.time(pair.maxMicros()),
          serverCpu(contest, standing));
    }
    return table + problems(contest) + "\n";
  }

  private static String size(ContestResult contest) {
    return contest.processes() + " x " + contest.threads() / contest.processes() + " threads";
  }

  private static String rate(Standing standing) {
    double least = standing.rounds().stream().mapToDouble(Round::perSecond).min().orElse(0);
    double most = standing.rounds().stream().mapToDouble(Round::perSecond).max().orElse(0);
    return "%s (%s to %s)"
        .formatted(
            Numbers.count(standing.median(Round::perSecond)),
            Numbers.count(least),
            Numbers.count(most));
  }

  private static String rival(ContestResult contest, Standing standing) {
    return rivals(contest, standing)
        .map(rival -> Numbers.times(standing.medianRatio(rival, Round::perSecond)))
        .findFirst()
        .orElse("");
  }

  private static String serverCpu(ContestResult contest, Standing standing) {
    String time = Numbers.time(standing.median(Round::serverCpuMicrosPerAcquisition));
    return rivals(contest, standing)
        .map(rival -> standing.medianRatio(rival, Round::serverCpuMicrosPerAcquisition))
        .map(ratio -> time + " (" + Numbers.times(ratio) + ")")
        .findFirst()
        .orElse(time);
  }

  private static Stream<Standing> rivals(ContestResult contest, Standing standing) {
    return standing.contender().rivals().stream().map(contest::standing).flatMap(Optional::stream);
  }

  /** Returns the heading of the column that compares. */
  private static String against(ContestResult contest) {
    return contest.standings().stream()
        .flatMap(standing -> rivals(contest, standing))
        .map(rival -> "against " + rival.contender().product().label() + "'s")
        .findFirst()
        .orElse("against others'");
  }

  /** Returns what went wrong as a list, or nothing. */
  private static String problems(ContestResult contest) {
    StringBuilder text = new StringBuilder();
    for (Standing standing : contest.standings()) {
      text.append(problems(standing.contender(), standing.problems()));
      long lost = standing.sum(Round::lostOrders);
      if (lost > 0) {
        text.append("\n* ").append(standing.contender().label());
        text.append(": orders lost, ").append(lost).append('\n');
      }
      long overlaps = standing.sum(Round::overlaps);
      if (overlaps > 0) {
        text.append("\n* ").append(standing.contender().label());
        text.append(": more threads inside at once than may be, ")
            .append(overlaps)
            .append(" times\n");
      }
    }
    return text.toString();
  }

  static String problems(Contender contender, List<String> problems) {
    StringBuilder text = new StringBuilder();
    for (String problem : problems) {
      text.append("\n* ").append(contender.label()).append(": `").append(problem).append("`\n");
    }
    return text.toString();
  }
}
