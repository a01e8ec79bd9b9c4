package io.lockkeeper.lab.oversell;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.lab.Main;
import io.lockkeeper.lab.oversell.contest.Contest;
import io.lockkeeper.lab.oversell.contest.Plan;
import io.lockkeeper.lab.oversell.contest.VariantResult;
import io.lockkeeper.lab.oversell.report.StoreReport;
import io.lockkeeper.lab.oversell.shop.Shops;
import io.lockkeeper.lab.oversell.shop.StoreKind;
import io.lockkeeper.lab.process.ChildProcess;
import io.lockkeeper.servers.ServerStartException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Contests in one store after the other. */
final class StoreContest {

  private static final int LONGEST_REASON = 300;

  private final Function<StoreKind, Plan> plans;
  private final PrintWriter err;
  private final boolean terminal;

  /**
   * Creates it.
   *
   * @param plans what to do in a store of a kind
   * @param err where the progress goes
   */
  StoreContest(Function<StoreKind, Plan> plans, PrintWriter err, boolean terminal) {
    this.plans = plans;
    this.err = err;
    this.terminal = terminal;
  }

  /**
   * Runs the contest in a store that is there.
   *
   * @param atStart hears about the store before the contest begins
   */
  StoreReport in(String url, Consumer<StoreReport> atStart) throws InterruptedException {
    try (Venue venue = Venue.open(url)) {
      return in(venue, Shops.kind(url).title(), atStart);
    }
  }

  /** Runs the contest in a store of its own; what cannot be is an error. */
  StoreReport in(EmbeddedStore store, Consumer<StoreReport> atStart) throws InterruptedException {
    try (Venue venue = Venue.open(store)) {
      return in(venue, store.title(), atStart);
    } catch (ServerStartException e) {
      throw new CannotRunException(
          "cannot start an embedded "
              + store.title()
              + " ("
              + e.getMessage()
              + "); "
              + store.remedy()
              + ", or give --store the URL of a server that runs",
          e);
    }
  }

  /** Runs the contest in a store of its own; what cannot be is said in the report. */
  StoreReport ifPossible(EmbeddedStore store, Consumer<StoreReport> atStart)
      throws InterruptedException {
    List<StoreReport> begun = new ArrayList<>();
    List<VariantResult> rows = new ArrayList<>();
    try (Venue venue = Venue.open(store)) {
      return in(
          venue,
          store.title(),
          report -> {
            begun.add(report);
            atStart.accept(report);
          },
          rows);
    } catch (ServerStartException e) {
      return StoreReport.skipped(store.kind(), store.title(), inALine(e) + "; " + store.remedy());
    } catch (CannotRunException e) {
      String server = begun.isEmpty() ? "" : begun.get(0).server();
      return StoreReport.failed(store.kind(), store.title(), server, inALine(e), rows);
    }
  }

  private static String inALine(RuntimeException failure) {
    String text = String.valueOf(failure.getMessage()).replaceAll("\\s+", " ");
    return text.length() <= LONGEST_REASON ? text : text.substring(0, LONGEST_REASON) + " ...";
  }

  private StoreReport in(Venue venue, String name, Consumer<StoreReport> atStart)
      throws InterruptedException {
    return in(venue, name, atStart, new ArrayList<>());
  }

  private StoreReport in(
      Venue venue, String name, Consumer<StoreReport> atStart, List<VariantResult> rows)
      throws InterruptedException {
    String server = venue.shop().server();
    StoreKind kind = Shops.kind(venue.url());
    atStart.accept(
        StoreReport.of(kind, name, server, venue.printableUrl(), venue.isEmbedded(), List.of()));
    run(venue, rows);
    return StoreReport.of(kind, name, server, venue.printableUrl(), venue.isEmbedded(), rows);
  }

  private void run(Venue venue, List<VariantResult> rows) throws InterruptedException {
    Plan plan = plans.apply(Shops.kind(venue.url()));
    try (ConsoleProgress progress = new ConsoleProgress(err, terminal);
        Contest contest =
            new Contest(
                plan,
                venue.url(),
                venue.shop(),
                ChildProcess.java(List.of(), Main.class.getName(), OversellWorkerCommand.NAME),
                progress);
        Interruption interruption = new Interruption(contest, venue)) {
      interruption.silently(
          () -> {
            contest.run(rows::add);
            return rows;
          });
    }
  }
}
