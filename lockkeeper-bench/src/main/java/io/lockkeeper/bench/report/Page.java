package io.lockkeeper.bench.report;

import io.lockkeeper.bench.locks.Library;
import io.lockkeeper.bench.results.ContestResult;
import io.lockkeeper.bench.results.ContestResult.Kind;
import io.lockkeeper.bench.results.Results;
import io.lockkeeper.bench.results.Setting;
import io.lockkeeper.bench.worker.Work;
import io.lockkeeper.lab.report.MarkdownTable;
import io.lockkeeper.lab.report.Numbers;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The Markdown page of a run. */
final class Page {

  private final Results results;
  private final Set<String> plots;
  private final StringBuilder text = new StringBuilder();

  /**
   * Creates the page.
   *
   * @param plots the names of the plots that exist
   */
  Page(Results results, Set<String> plots) {
    this.results = results;
    this.plots = plots;
  }

  String text() {
    opening();
    setting(results.setting());
    targets();
    oneLock();
    order();
    pairs();
    handOver();
    synchronizers();
    commands();
    footprint();
    reading();
    return text.toString();
  }

  private void opening() {
    add(
        """
        # Benchmarks on %s

        %s side by side: same machine, same server, same run, each contender in turn. This page
        and its plots are made by the run itself; do not edit them. To make them anew:

            %s

        Without `--out` the report goes to `lockkeeper-bench/target`; with `--quick` the turns are
        shorter and fewer, which this folder does not get; `--help` lists the other options. The figures of every single turn are in
        [results.json](%s/results.json).
        """
            .formatted(
                results.setting().site().label(),
                libraries(),
                results.setting().command(),
                folder()));
    if (results.setting().wasTooShort()) {
      add("\n**" + Setting.TOO_SHORT + "**\n");
    }
  }

  private String folder() {
    return results.setting().site().page();
  }

  /** Returns the libraries that take part, for people. */
  private String libraries() {
    List<String> labels =
        results.contests().stream()
            .flatMap(contest -> contest.standings().stream())
            .map(standing -> standing.contender().product())
            .filter(library -> library != Library.JDK)
            .map(Library::label)
            .distinct()
            .toList();
    return labels.isEmpty() ? "Lock libraries" : String.join(", ", labels);
  }

  private void setting(Setting setting) {
    MarkdownTable table = new MarkdownTable("setting", "");
    table.row("machine", setting.machine());
    table.row("JDK", setting.jdk() + ", workers with `" + setting.jvmOptions() + "`");
    table.row("server", setting.server());
    table.row("libraries", versions(setting.versions()));
    table.row(
        "turns",
        setting.rounds()
            + " of "
            + setting.secondsPerTurn()
            + " s for each lock in each contest, after one of "
            + setting.secondsOfWarmUp()
            + " s that does not count");
    if (setting.delayMillis() > 0) {
      table.row(
          "network of the fleet far away",
          Numbers.threeDigits(setting.delayMillis()) + " ms each way");
    }
    table.row("load average before the run", Numbers.threeDigits(setting.loadBefore()));
    table.row("length of the run", setting.durationSeconds() + " s");
    heading("Setting");
    add(table.toString());
  }

  static String versions(Map<String, String> versions) {
    return versions.entrySet().stream()
        .map(e -> e.getKey() + " " + e.getValue())
        .collect(Collectors.joining(", "));
  }

  private void targets() {
    MarkdownTable table = new MarkdownTable("", "target", "measured", "");
    for (Targets.Target target : Targets.of(results)) {
      String verdict =
          switch (target.verdict()) {
            case REACHED -> "reached";
            case MISSED -> "**missed**";
            case NOT_MEASURED -> "–";
          };
      table.row(target.what(), target.goal(), target.measured(), verdict);
    }
    heading("Targets");
    if (results.setting().wasTooShort()) {
      add("Of a run that was too short: a verdict is a first look.\n\n");
    }
    add(table.toString());
  }

  private void oneLock() {
    List<ContestResult> contests = results.contests(Kind.ONE_LOCK, Work.NONE);
    if (!contests.isEmpty()) {
      heading("One lock, nothing done under it");
      plot(Plots.ONE_LOCK_THROUGHPUT);
      plot(Plots.ONE_LOCK_P99);
      contests.forEach(contest -> add(ContestTables.waits(contest, "acquisitions/s")));
    }
  }

  private void order() {
    List<ContestResult> contests = results.contests(Kind.ONE_LOCK, Work.ORDER);
    if (!contests.isEmpty()) {
      heading("One lock, an order's own work under it");
      add(
          """
          Under the lock the stock is read from Redis and written back, over a connection of its own
          for each JVM: two round trips. The last contender is the best that any lock could do: one
          JVM, a `ReentrantLock`, the same number of threads, the same work.
          """);
      plot(Plots.ORDER_THROUGHPUT);
      plot(Plots.ORDER_P99);
      contests.forEach(contest -> add(ContestTables.orders(contest)));
    }
  }

  private void pairs() {
    for (ContestResult contest : results.contests(Kind.UNCONTENDED, Work.NONE)) {
      heading("One thread alone");
      plot(Plots.UNCONTENDED);
      add(ContestTables.pairs(contest));
    }
    for (ContestResult contest : results.contests(Kind.OWN_NAMES, Work.NONE)) {
      heading(contest.threads() + " threads of one JVM with a lock each");
      plot(Plots.OWN_NAMES);
      add(ContestTables.pairs(contest));
    }
  }

  private void handOver() {
    if (!results.handOvers().isEmpty()) {
      heading("From one client to another");
      plot(Plots.HAND_OVER);
      add(OtherTables.handOvers(results.handOvers()));
    }
  }

  private void synchronizers() {
    for (Synchronizers synchronizer : Synchronizers.values()) {
      for (Work work : Work.values()) {
        results.contests(synchronizer.kind(), work).forEach(it -> synchronizer(synchronizer, it));
      }
    }
  }

  private void synchronizer(Synchronizers synchronizer, ContestResult contest) {
    heading(synchronizer.title() + contest.work().label());
    if (contest.work() == Work.NONE) {
      add(synchronizer.text());
      plot(synchronizer.plot());
    } else if (contest.work() == Work.ORDER) {
      add(
          "Under the lock the stock is read from the server and written back: two round"
              + " trips.\n\n");
    } else {
      add("Before each acquisition a thread reads from the server twice: two round trips.\n\n");
    }
    add(
        synchronizer.isPairs()
            ? ContestTables.pairs(contest)
            : ContestTables.waits(contest, synchronizer.rate()));
  }

  private void commands() {
    if (!results.commands().isEmpty()) {
      heading("Commands at the server for one acquisition and release");
      add(OtherTables.commands(results.commands()));
    }
  }

  private void footprint() {
    if (!results.footprints().isEmpty()) {
      heading("What waiters cost");
      add(OtherTables.footprints(results.footprints()));
    }
  }

  private void reading() {
    heading("How to read this");
    add(
        """
        * Only ratios within one run count. Each contest begins with a turn of each contender that
          does not count; then they take turns, and a ratio is the median over the rounds of the
          ratio within the round. Rates are medians, with the slowest and fastest round beside them;
          percentiles are over all rounds.
        * Each library has its own worker JVMs, started once and warm from the first contest on. All
          have their default settings; an idle lease, where it says so, is of 10 s.
        * A thread asks again as soon as it has released: the hardest case for fairness, and no load
          that an application has. *Fairness* is the count of the least served thread over that of
          the best served one; 1 is perfect, 0 means that a thread got nothing in a whole turn.
        * A wait is counted to its end even when it outlasts the turn. A percentile weighs every
          acquisition alike, so a lock that hands itself round quickly among a few threads looks good
          at the median; the maximum shows what the others paid.
        * Lockkeeper's `unlock` sends the release and does not wait for the answer; the others' wait.
          Commands and processor time at the server are counted for the whole cycle on both sides.
        * Server and workers share the processors, so a client that burns processor time also slows
          the server down. Over a network round trips weigh more than here.
        """);
  }

  private void heading(String title) {
    text.append("\n## ").append(title).append("\n\n");
  }

  private void plot(String file) {
    if (plots.contains(file)) {
      String name = file.substring(0, file.lastIndexOf('.')).replace('-', ' ');
      add("![" + name + "](" + folder() + "/" + file + ")\n\n");
    }
  }

  private void add(String markdown) {
    text.append(markdown);
  }
}
