package io.lockkeeper.bench.report;

import io.lockkeeper.bench.locks.Contender;
import io.lockkeeper.bench.results.ContestResult;
import io.lockkeeper.bench.results.ContestResult.Kind;
import io.lockkeeper.bench.results.HandOverResult;
import io.lockkeeper.bench.results.Results;
import io.lockkeeper.bench.results.Round;
import io.lockkeeper.bench.results.Standing;
import io.lockkeeper.bench.worker.Work;
import io.lockkeeper.lab.report.BarChart;
import io.lockkeeper.lab.report.LineChart;
import io.lockkeeper.lab.report.Numbers;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/** The plots of a run, by file name. */
final class Plots {

  static final String ONE_LOCK_THROUGHPUT = "one-lock-throughput.svg";
  static final String ONE_LOCK_P99 = "one-lock-p99-wait.svg";
  static final String ORDER_THROUGHPUT = "order-throughput.svg";
  static final String ORDER_P99 = "order-p99-wait.svg";
  static final String UNCONTENDED = "uncontended.svg";
  static final String OWN_NAMES = "own-names.svg";
  static final String HAND_OVER = "hand-over.svg";

  private final Results results;
  private final Map<String, String> plots = new TreeMap<>();

  Plots(Results results) {
    this.results = results;
  }

  /** Returns a title, marked if the run was too short. */
  private String marked(String title) {
    return results.setting().wasTooShort() ? title + " (too short)" : title;
  }

  /** Draws those for which there are results. */
  Map<String, String> draw() {
    List<ContestResult> empty = results.contests(Kind.ONE_LOCK, Work.NONE);
    overThreads(
        ONE_LOCK_THROUGHPUT, "One lock: acquisitions/s", empty, Plots::rate, Numbers::count);
    overThreads(ONE_LOCK_P99, "One lock: p99 wait", empty, Plots::p99, Numbers::time);
    List<ContestResult> order = results.contests(Kind.ONE_LOCK, Work.ORDER);
    overThreads(
        ORDER_THROUGHPUT, "An order's work inside: orders/s", order, Plots::rate, Numbers::count);
    overThreads(ORDER_P99, "An order's work inside: p99 wait", order, Plots::p99, Numbers::time);
    rates(UNCONTENDED, "One thread alone: lock and unlock pairs/s", Kind.UNCONTENDED);
    rates(OWN_NAMES, "Threads with a lock each: lock and unlock pairs/s", Kind.OWN_NAMES);
    for (Synchronizers synchronizer : Synchronizers.values()) {
      rates(synchronizer.plot(), synchronizer.plotTitle(), synchronizer.kind());
    }
    handOver();
    return plots;
  }

  private static double rate(Standing standing) {
    return standing.median(Round::perSecond);
  }

  private static double p99(Standing standing) {
    return standing.latency().p99Micros();
  }

  private void overThreads(
      String file,
      String title,
      List<ContestResult> contests,
      ToDoubleFunction<Standing> value,
      DoubleFunction<String> format) {
    if (contests.isEmpty()) {
      return;
    }
    List<String> places =
        contests.stream().map(c -> c.processes() + " x " + c.threads() / c.processes()).toList();
    LineChart chart = new LineChart(marked(title), "JVMs x threads in each", places);
    for (Contender contender : Contender.values()) {
      List<Double> values =
          contests.stream()
              .map(c -> c.standing(contender).map(value::applyAsDouble).orElse(0.0))
              .toList();
      if (values.stream().anyMatch(v -> v > 0)) {
        chart.add(contender.label(), Colors.of(contender), values);
      }
    }
    plots.put(file, chart.draw(format));
  }

  private void rates(String file, String title, Kind kind) {
    results
        .largest(kind, Work.NONE)
        .ifPresent(
            contest -> {
              BarChart chart = new BarChart(marked(title));
              for (Standing standing : contest.standings()) {
                double rate = rate(standing);
                Contender who = standing.contender();
                chart.add(who.label(), Colors.of(who), rate, Numbers.count(rate));
              }
              plots.put(file, chart.draw());
            });
  }

  private void handOver() {
    if (results.handOvers().isEmpty()) {
      return;
    }
    BarChart chart =
        new BarChart(marked("From unlock in one client to the lock in another: median"));
    for (HandOverResult result : results.handOvers()) {
      double median = result.latency().p50Micros();
      Contender who = result.contender();
      chart.add(who.label(), Colors.of(who), median, Numbers.time(median));
    }
    plots.put(HAND_OVER, chart.draw());
  }
}
