package io.lockkeeper.lab.oversell.contest;

import io.lockkeeper.lab.oversell.shop.Article;
import io.lockkeeper.lab.oversell.shop.Books;
import io.lockkeeper.lab.oversell.shop.Shop;
import io.lockkeeper.lab.oversell.shop.Shops;
import io.lockkeeper.lab.oversell.shop.StoreKind;
import io.lockkeeper.lab.oversell.strategy.Grant;
import io.lockkeeper.lab.oversell.strategy.Strategy;
import io.lockkeeper.lab.oversell.worker.FromWorker;
import io.lockkeeper.lab.oversell.worker.ToWorker;
import io.lockkeeper.lab.report.Histograms;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A contest: each strategy in turn sells the same stock to the same crowd. Every strategy gets
 * fresh processes, so that none runs in code that another has warmed up, and then a warm-up of its
 * own on an article of its own.
 */
public final class Contest implements AutoCloseable {

  private static final Duration START_PATIENCE = Duration.ofSeconds(60);
  private static final Duration ORDER_PATIENCE = Duration.ofSeconds(60);

  private final Plan plan;
  private final String storeUrl;
  private final Shop shop;
  private final List<String> workerCommand;
  private final Progress progress;
  private final String run = UUID.randomUUID().toString();
  private volatile @Nullable Fleet currentFleet;
  private volatile @Nullable Article currentArticle;

  /**
   * Creates a contest in a shop that is open.
   *
   * @param workerCommand the command line of a worker process
   */
  public Contest(
      Plan plan, String storeUrl, Shop shop, List<String> workerCommand, Progress progress) {
    this.plan = plan;
    this.storeUrl = storeUrl;
    this.shop = shop;
    this.workerCommand = List.copyOf(workerCommand);
    this.progress = progress;
  }

  /**
   * Runs all strategies.
   *
   * @param rows receives each row as soon as it is complete
   * @throws io.lockkeeper.cli.console.CannotRunException if the store or a worker fails
   */
  public void run(Consumer<VariantResult> rows) throws InterruptedException {
    for (Strategy strategy : plan.strategies()) {
      VariantResult result = run(strategy);
      rows.accept(result);
      progress.finished(result);
    }
  }

  private VariantResult run(Strategy strategy) throws InterruptedException {
    progress.phase(strategy, "starting");
    try (Fleet fleet = new Fleet(strategy.name(), plan.processesFor(strategy), workerCommand)) {
      currentFleet = fleet;
      fleet.tell(number -> open(strategy, number));
      fleet.await(FromWorker.Opened.class, START_PATIENCE, done -> {});
      if (!plan.warmUp().isZero()) {
        warmUp(strategy, fleet);
      }
      VariantResult result = measure(strategy, fleet);
      fleet.stop();
      return result;
    }
  }

  private ToWorker open(Strategy strategy, int number) {
    return new ToWorker.Open(strategy.name(), storeUrl, number, plan.seed() + number);
  }

  private void warmUp(Strategy strategy, Fleet fleet) throws InterruptedException {
    Article article = stockUp(strategy, "warm-up", Integer.MAX_VALUE);
    try {
      progress.phase(strategy, "warming up");
      prepare(strategy, fleet, article, plan.warmUp());
      fleet.tell(number -> new ToWorker.Go());
      fleet.await(FromWorker.Finished.class, ORDER_PATIENCE, done -> {});
    } finally {
      shop.clear(article);
    }
  }

  private VariantResult measure(Strategy strategy, Fleet fleet) throws InterruptedException {
    Article article = stockUp(strategy, "sale", plan.stock());
    try {
      prepare(strategy, fleet, article, Duration.ZERO);
      Map<String, Long> before = shop.commandCalls();
      List<FromWorker.Finished> reports = sell(strategy, fleet);
      Map<String, Long> after = shop.commandCalls();
      return result(strategy, reports, shop.read(article), before, after);
    } finally {
      shop.clear(article);
    }
  }

  private Article stockUp(Strategy strategy, String what, long stock) {
    Article article = new Article("oversell:" + run + ":" + strategy.name() + ":" + what);
    currentArticle = article;
    shop.fill(article, stock);
    return article;
  }

  private void prepare(Strategy strategy, Fleet fleet, Article article, Duration warmUp)
      throws InterruptedException {
    int threads = plan.threadsFor(strategy);
    fleet.tell(
        number -> new ToWorker.Prepare(article.name(), threads, plan.orders(), warmUp.toMillis()));
    fleet.await(FromWorker.Prepared.class, START_PATIENCE, done -> {});
  }

  private List<FromWorker.Finished> sell(Strategy strategy, Fleet fleet)
      throws InterruptedException {
    long start = System.nanoTime();
    fleet.tell(number -> new ToWorker.Go());
    return fleet.await(
        FromWorker.Finished.class,
        ORDER_PATIENCE,
        done -> progress.orders(strategy, done, plan.totalOrders(), System.nanoTime() - start));
  }

  private VariantResult result(
      Strategy strategy,
      List<FromWorker.Finished> reports,
      Books books,
      Map<String, Long> before,
      Map<String, Long> after) {
    Histogram waits = Histograms.create();
    reports.forEach(report -> waits.add(Histograms.decode(report.waits())));
    Map<String, Long> givenUp = new TreeMap<>();
    reports.forEach(
        report -> report.givenUp().forEach((why, count) -> givenUp.merge(why, count, Long::sum)));
    List<Grant> grants = reports.stream().flatMap(report -> report.grants().stream()).toList();
    return new VariantResult(
        strategy,
        plan.processesFor(strategy),
        plan.threadsFor(strategy),
        plan.totalOrders(),
        plan.stock(),
        reports.stream().mapToLong(FromWorker.Finished::elapsedNanos).max().orElseThrow(),
        reports.stream().mapToLong(FromWorker.Finished::orders).sum(),
        reports.stream().mapToLong(FromWorker.Finished::failed).sum(),
        reports.stream()
            .map(FromWorker.Finished::failure)
            .filter(failure -> !failure.isEmpty())
            .findFirst()
            .orElse(""),
        givenUp,
        waits,
        books,
        commands(strategy, reports, before, after),
        strategy.keepsOrderOfArrival() ? ArrivalCheck.of(grants) : null);
  }

  private @Nullable CommandCount commands(
      Strategy strategy,
      List<FromWorker.Finished> reports,
      Map<String, Long> before,
      Map<String, Long> after) {
    if (before.isEmpty() || after.isEmpty()) {
      return null;
    }
    long reads = reports.stream().mapToLong(FromWorker.Finished::orders).sum();
    long sales = reads - reports.stream().mapToLong(FromWorker.Finished::soldOut).sum();
    Set<String> sent =
        Shops.kind(storeUrl) == StoreKind.REDIS ? strategy.sentCommands() : after.keySet();
    return CommandCount.between(before, after, shop.orderCalls(reads, sales), sent);
  }

  /** Kills the workers that run now. May be called by any thread, to break off. */
  @Override
  public void close() {
    Fleet fleet = currentFleet;
    if (fleet != null) {
      fleet.close();
    }
  }

  /** Removes what a contest that was broken off left in the store. */
  public void clear() {
    Article article = currentArticle;
    if (article != null) {
      shop.clear(article);
    }
  }
}
