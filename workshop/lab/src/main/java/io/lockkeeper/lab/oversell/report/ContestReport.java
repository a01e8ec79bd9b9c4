package io.lockkeeper.lab.oversell.report;

import io.lockkeeper.lab.oversell.contest.Plan;
import io.lockkeeper.lab.oversell.contest.VariantResult;
import io.lockkeeper.lab.oversell.shop.StoreKind;
import io.lockkeeper.lab.report.Machine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * All that a report is written from.
 *
 * @param commandLine how to run the same again; no secrets
 * @param started when, for people
 * @param machine what it ran on
 * @param plan what was to be done in each store
 * @param stores what came of it, store by store
 */
public record ContestReport(
    String commandLine, Instant started, Machine machine, Plan plan, List<StoreReport> stores) {

  private static final String WAIT =
      "wait: from the wish to order to the start of the critical section.";

  private static final String COMMANDS =
      "commands/order: commands that the lock's clients sent to the store, by INFO commandstats;"
          + " a script counts as one; the order's own GET, RPUSH and SET are not counted.";

  private static final String REQUESTS =
      "commands/order in ZooKeeper: requests that its status counts, without the order's own two.";

  private static final List<String> BOOKS =
      List.of(
          "sold: orders recorded in the store. stock left: what the store says at the end.",
          "oversold: sold - (stock before - stock left), the lost updates.",
          "order violations: grants after the grant of somebody who came later to the store's queue.");

  private static final String GIVEN_UP =
      "given up: orders that a variant without a lock gave up; its wait ends where the attempt"
          + " that succeeded began.";

  /** Copies. */
  public ContestReport {
    stores = List.copyOf(stores);
  }

  /** Returns whether it is about more than one store. */
  boolean isOfSeveral() {
    return stores.size() > 1;
  }

  /** Returns the rows of all stores. */
  List<VariantResult> rows() {
    return stores.stream().flatMap(store -> store.results().stream()).toList();
  }

  /** Returns a row's name, with its store's where there are several. */
  String nameOf(StoreReport store, VariantResult row) {
    return isOfSeveral() ? store.name() + " " + row.strategy().name() : row.strategy().name();
  }

  /** Returns what is counted in the columns, one sentence each, for every form of the report. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    notes.add(WAIT);
    if (isAbout(StoreKind.REDIS)) {
      notes.add(COMMANDS);
    }
    if (isAbout(StoreKind.ZOOKEEPER)) {
      notes.add(REQUESTS);
    }
    notes.addAll(BOOKS);
    if (rows().stream().anyMatch(row -> row.ordersGivenUp() > 0)) {
      notes.add(GIVEN_UP);
    }
    return notes;
  }

  private boolean isAbout(StoreKind kind) {
    return stores.stream().anyMatch(store -> store.kind() == kind);
  }

  /** Returns the promises that were not kept, one line for each row that broke any. */
  List<String> problems() {
    return linesOf(VariantResult::problems);
  }

  /** Returns what else went wrong, one line for each row without a lock. */
  List<String> remarks() {
    return linesOf(row -> row.isLocked() ? List.of() : row.remarks());
  }

  private List<String> linesOf(Function<VariantResult, List<String>> what) {
    List<String> lines = new ArrayList<>();
    for (StoreReport store : stores) {
      for (VariantResult row : store.results()) {
        if (!what.apply(row).isEmpty()) {
          lines.add(nameOf(store, row) + ": " + String.join(", ", what.apply(row)));
        }
      }
    }
    return lines;
  }

  /** Returns the load in a line. */
  String load() {
    return String.format(
        Locale.ROOT,
        "%,d processes x %,d threads x %,d orders = %,d orders on a stock of %,d",
        plan.processes(),
        plan.threads(),
        plan.orders(),
        plan.totalOrders(),
        plan.stock());
  }
}
