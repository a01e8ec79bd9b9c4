package io.lockkeeper.bench;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.lab.report.MarkdownTable;
import io.lockkeeper.lab.report.Numbers;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Contests as a Markdown table. */
final class ContestTable {

  private ContestTable() {}

  /** Returns the table of some contests, and what went wrong in them. */
  static String of(List<ContestResult> contests) {
    MarkdownTable table =
        new MarkdownTable("lock", "per second", against(contests), "p50", "p99", "server CPU");
    StringBuilder problems = new StringBuilder();
    for (ContestResult contest : contests) {
      table.title(contest.title());
      for (Standing standing : contest.standings()) {
        if (!standing.rounds().isEmpty() && !isRepeated(contest, standing.contender())) {
          row(table, contest, standing);
        }
        problems.append(problems(standing));
      }
    }
    return table.toString() + problems;
  }

  private static void row(MarkdownTable table, ContestResult contest, Standing standing) {
    DoubleSummaryStatistics rates =
        standing.rounds().stream().mapToDouble(Round::perSecond).summaryStatistics();
    table.row(
        standing.contender().label(),
        "%s (%s–%s)"
            .formatted(
                Numbers.count(standing.median(Round::perSecond)),
                Numbers.count(rates.getMin()),
                Numbers.count(rates.getMax())),
        rivals(contest, standing)
            .map(rival -> Numbers.threeDigits(standing.medianRatio(rival, Round::perSecond)))
            .findFirst()
            .orElse(""),
        Numbers.time(standing.latency().p50Micros()),
        Numbers.time(standing.latency().p99Micros()),
        Numbers.time(standing.median(Round::serverCpuMicros)));
  }

  /** Returns whether the lock that goes to the store each time stands for this one, too. */
  private static boolean isRepeated(ContestResult contest, Contender contender) {
    return contender == Contender.LOCKKEEPER_LOCK
        && contest.threadsEach() == 1
        && contest.standing(Contender.LOCKKEEPER_EACH).isPresent();
  }

  private static Stream<Standing> rivals(ContestResult contest, Standing standing) {
    return standing.contender().rivals().stream().map(contest::standing).flatMap(Optional::stream);
  }

  /** Returns the heading of the column that compares. */
  private static String against(List<ContestResult> contests) {
    return contests.stream()
        .flatMap(contest -> contest.standings().stream().flatMap(it -> rivals(contest, it)))
        .map(rival -> "times " + rival.contender().product().label() + "'s")
        .findFirst()
        .orElse("times others'");
  }

  /** Returns what went wrong as a list. */
  static String problems(Standing standing) {
    Contender contender = standing.contender();
    return problems(contender, standing.problems())
        + problem(contender, standing.sum(Round::lostOrders), "orders lost");
  }

  /** Returns a problem as an item of a list, or nothing if it did not happen. */
  private static String problem(Contender contender, long count, String problem) {
    return count == 0 ? "" : "\n* " + contender.label() + ": " + count + " " + problem + "\n";
  }

  /** Returns the first sentence of each problem as a list. */
  static String problems(Contender contender, List<String> problems) {
    StringBuilder text = new StringBuilder();
    for (String problem : problems) {
      String first = problem.replaceFirst("\\. .*", "");
      text.append("\n* ").append(contender.label()).append(": `").append(first).append("`\n");
    }
    return text.toString();
  }
}
