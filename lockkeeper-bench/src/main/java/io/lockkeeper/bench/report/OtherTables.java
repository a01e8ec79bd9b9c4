package io.lockkeeper.bench.report;

import io.lockkeeper.bench.results.CommandsResult;
import io.lockkeeper.bench.results.FootprintResult;
import io.lockkeeper.bench.results.HandOverResult;
import io.lockkeeper.bench.results.Latency;
import io.lockkeeper.lab.report.MarkdownTable;
import io.lockkeeper.lab.report.Numbers;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** Everything but contests as Markdown tables. */
final class OtherTables {

  /** A command that is rarer than this per acquisition has nothing to do with it: a ping, say. */
  private static final double RARE = 0.005;

  private OtherTables() {}

  static String handOvers(List<HandOverResult> results) {
    MarkdownTable table = new MarkdownTable("hand-over", "p50", "p90", "p99", "max", "count");
    StringBuilder problems = new StringBuilder();
    for (HandOverResult result : results) {
      Latency latency = result.latency();
      table.row(
          result.contender().label(),
          median(result),
          Numbers.time(latency.p90Micros()),
          Numbers.time(latency.p99Micros()),
          Numbers.time(latency.maxMicros()),
          Numbers.count(result.count()));
      problems.append(ContestTables.problems(result.contender(), result.problems()));
    }
    return """
    From the call of `unlock` in one client until a thread of another client, which has waited for
    5 to 15 ms, has the lock; both clients in one JVM. (A spin lock's figure depends on that wait:
    the longer it has waited, the longer it sleeps.) With an idle lease the first client has unlocked
    already and keeps the lock, and the time is the wait of the other one.

    """
        + table
        + problems;
  }

  /** Returns the median, with those of the fastest and the slowest round. */
  private static String median(HandOverResult result) {
    String median = Numbers.time(result.latency().p50Micros());
    if (result.rounds().isEmpty()) {
      return median;
    }
    DoubleSummaryStatistics rounds =
        result.rounds().stream().mapToDouble(Latency::p50Micros).summaryStatistics();
    return "%s (%s to %s)"
        .formatted(median, Numbers.time(rounds.getMin()), Numbers.time(rounds.getMax()));
  }

  static String commands(List<CommandsResult> results) {
    MarkdownTable table =
        new MarkdownTable("", "threads", "sent by clients", "which", "inside scripts", "which");
    for (CommandsResult result : results) {
      table.row(
          result.contender().label(),
          Integer.toString(result.threads()),
          Numbers.threeDigits(result.totalSent()),
          list(result.sent()),
          Numbers.threeDigits(result.totalInScripts()),
          list(result.inScripts()));
    }
    String problems =
        results.stream()
            .map(result -> ContestTables.problems(result.contender(), result.problems()))
            .collect(Collectors.joining());
    return """
    Counted with `MONITOR`, which tells what clients send from what scripts execute; alone, and
    contended from all JVMs.

    """
        + table
        + problems;
  }

  private static String list(SortedMap<String, Double> counts) {
    return counts.entrySet().stream()
        .filter(e -> e.getValue() >= RARE)
        .map(e -> String.format(Locale.ROOT, "%s %.2f", e.getKey(), e.getValue()))
        .collect(Collectors.joining(", "));
  }

  static String footprints(List<FootprintResult> results) {
    MarkdownTable table =
        new MarkdownTable(
            "waiters",
            "heap per waiter",
            "client threads",
            "connections",
            "channels",
            "all served after");
    StringBuilder problems = new StringBuilder();
    for (FootprintResult result : results) {
      table.row(
          result.contender().label() + ", " + result.waiters(),
          Numbers.count(result.heapBytesPerWaiter()) + " bytes",
          Integer.toString(result.clientThreads()),
          Long.toString(result.connections()),
          Long.toString(result.channels()),
          served(result));
      problems.append(ContestTables.problems(result.contender(), result.problems()));
    }
    return """
    Threads of one fresh JVM wait for a lock that another JVM holds. Heap is what they take after
    garbage collection, beyond the same threads waiting at a latch; client threads are those of the
    waiting JVM beyond the waiters and beyond a JVM without a client; connections are those of both
    JVMs; channels are counted at the server. The last column is the time from the release until
    each thread has had the lock once.

    """
        + table
        + problems;
  }

  private static String served(FootprintResult result) {
    String after = Numbers.count(result.drainMillis()) + " ms";
    return result.served() == result.waiters()
        ? after
        : "only " + result.served() + " after " + after;
  }
}
