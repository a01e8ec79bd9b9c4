package io.lockkeeper.jdbc;

import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.StoreCleaner;
import io.lockkeeper.spi.StoreContext;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongConsumer;

/** Cleans one namespace of a database, from one end of the tables to the other. */
final class JdbcCleaner implements StoreCleaner {

  private static final int PAGE = 1_000;
  private static final String ABOUT = "clean";

  private final Function<StoreContext, SqlOpener> openers;

  /**
   * Makes one.
   *
   * @param openers makes the way to the database for a client
   */
  JdbcCleaner(Function<StoreContext, SqlOpener> openers) {
    this.openers = openers;
  }

  /** A page of a table. */
  @FunctionalInterface
  private interface Paging {
    Sweep.Page sweep(SqlSession session, long after, int size) throws java.sql.SQLException;
  }

  @Override
  public List<Deleted> clean(
      StoreContext context, Duration age, boolean isTrial, LongConsumer progress) {
    return openers
        .apply(context)
        .work(
            (transactions, dialect) -> {
              Sweep sweep =
                  new Sweep(dialect, age.toMillis() * 1_000, context.namespace(), isTrial);
              Map<Sweep.What, Long> deleted = new EnumMap<>(Sweep.What.class);
              for (Sweep.What what : Sweep.What.values()) {
                deleted.put(what, 0L);
              }
              long looked = all(transactions, sweep::resources, 0, deleted, progress);
              all(transactions, sweep::cells, looked, deleted, progress);
              boolean hasNotifications = Schema.tables(dialect).contains("lockkeeper_hint");
              add(ask(transactions, session -> sweep.rest(session, hasNotifications)), deleted);
              return deleted.entrySet().stream()
                  .map(each -> new Deleted(each.getKey().title, each.getValue()))
                  .toList();
            });
  }

  /** Goes through a table, and returns how many rows have been looked at. */
  private static long all(
      Transactions transactions,
      Paging paging,
      long before,
      Map<Sweep.What, Long> deleted,
      LongConsumer progress) {
    long looked = before;
    long after = 0;
    do {
      long from = after;
      Sweep.Page page = ask(transactions, session -> paging.sweep(session, from, PAGE));
      add(page.deleted(), deleted);
      looked += page.looked();
      progress.accept(looked);
      after = page.last();
    } while (after > 0);
    return looked;
  }

  private static void add(Map<Sweep.What, Long> some, Map<Sweep.What, Long> all) {
    some.forEach((what, count) -> all.merge(what, count, Long::sum));
  }

  private static <T> T ask(Transactions transactions, Step<T> step) {
    Outcome<T> outcome = transactions.ask(ABOUT, step).join();
    if (outcome instanceof Outcome.Answered<T> answered) {
      return answered.answer();
    } else if (outcome instanceof Outcome.Refused<T> refused) {
      throw new StoreRefusedException(refused.problem(), refused.message());
    }
    Throwable cause = outcome instanceof Outcome.Unknown<T> unknown ? unknown.cause() : null;
    throw new StoreUnavailableException(
        "the database did not answer; what was deleted before stays deleted", cause);
  }
}
