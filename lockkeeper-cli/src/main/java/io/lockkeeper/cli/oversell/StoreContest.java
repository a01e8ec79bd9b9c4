package io.lockkeeper.cli.oversell;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.cli.oversell.contest.Contest;
import io.lockkeeper.cli.oversell.contest.Plan;
import io.lockkeeper.cli.oversell.contest.VariantResult;
import io.lockkeeper.cli.oversell.report.StoreReport;
import io.lockkeeper.cli.oversell.shop.Shops;
import io.lockkeeper.cli.oversell.shop.StoreKind;
import io.lockkeeper.servers.ServerStartException;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Contests in one store after the other. */
final class StoreContest {

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
    try (Venue venue = Venue.open(store)) {
      return in(venue, store.title(), atStart);
    } catch (ServerStartException e) {
      return StoreReport.skipped(store.title(), firstLine(e) + "; " + store.remedy());
    } catch (CannotRunException e) {
      return StoreReport.failed(store.title(), firstLine(e));
    }
  }

  private static String firstLine(RuntimeException failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }

  private StoreReport in(Venue venue, String name, Consumer<StoreReport> atStart)
      throws InterruptedException {
    String server = venue.shop().server();
    atStart.accept(
        StoreReport.of(name, server, venue.printableUrl(), venue.isEmbedded(), List.of()));
    List<VariantResult> rows = run(venue);
    return StoreReport.of(name, server, venue.printableUrl(), venue.isEmbedded(), rows);
  }

  private List<VariantResult> run(Venue venue) throws InterruptedException {
    Plan plan = plans.apply(Shops.kind(venue.url()));
    try (ConsoleProgress progress = new ConsoleProgress(err, terminal);
        Contest contest =
            new Contest(plan, venue.url(), venue.shop(), WorkerCommandLine.get(), progress);
        Interruption interruption = new Interruption(contest, venue)) {
      return interruption.silently(contest::run);
    }
  }
}
