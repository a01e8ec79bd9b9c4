package io.lockkeeper.cli.oversell.report;

import io.lockkeeper.cli.oversell.contest.Plan;
import io.lockkeeper.cli.oversell.contest.VariantResult;
import java.time.Instant;
import java.util.List;

/**
 * All that a report is written from.
 *
 * @param commandLine how to run the same again; no secrets
 * @param started when, for people
 * @param server the store's kind and version
 * @param storeUrl where it is; no secrets
 * @param embedded whether it was started for this run alone
 * @param machine what it ran on
 * @param plan what was to be done
 * @param results the rows
 */
public record ContestReport(
    String commandLine,
    Instant started,
    String server,
    String storeUrl,
    boolean embedded,
    Machine machine,
    Plan plan,
    List<VariantResult> results) {

  /** What is counted in the columns, one sentence each, for every form of the report. */
  static final List<String> NOTES =
      List.of(
          "wait: from the wish to order to the start of the critical section.",
          "commands/order: commands that the lock's clients sent to the store, by INFO commandstats;"
              + " a script counts as one; the order's own GET, RPUSH and SET are not counted.",
          "sold: orders recorded in the store. stock left: what the store says at the end.",
          "oversold: sold - (stock before - stock left), the lost updates.",
          "order violations: grants after the grant of somebody who came later to the store's queue.");

  /** Copies. */
  public ContestReport {
    results = List.copyOf(results);
  }

  /** Returns the load in a line. */
  String load() {
    return String.format(
        Numbers.LOCALE,
        "%,d processes x %,d threads x %,d orders = %,d orders on a stock of %,d",
        plan.processes(),
        plan.threads(),
        plan.orders(),
        plan.totalOrders(),
        plan.stock());
  }
}
