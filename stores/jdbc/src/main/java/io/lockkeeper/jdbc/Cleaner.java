package io.lockkeeper.jdbc;

import io.lockkeeper.spi.TimeSource;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Cleans a little of the tables now and then, so that what is left of names that nobody uses any
 * more does not grow.
 *
 * <p>All clients together go round the tables: how far they have come stands in {@code
 * lockkeeper_state}. A client does a page once in a while, and one for so many rows that it has
 * made itself, which looks at several times as many: so the tables stay as large as what is in use,
 * whichever clients fill them. Where a page finds much to delete, the next follows soon.
 */
final class Cleaner {

  /** The state of an error after which a transaction is run again. */
  static final String AGAIN = "40001";

  /** How long nobody must have used what is deleted. */
  static final long AGE_MICROS = TimeUnit.HOURS.toMicros(1);

  /** How many rows of each table a page looks at. */
  private static final int PAGE = 200;

  /** How many rows a client makes, on the average, until it looks at a page. */
  private static final int MADE_PER_PAGE = 50;

  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final long SHORT_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final String ABOUT = "\uffff clean";

  private final Transactions transactions;
  private final Sweep sweep;
  private final String selectState;
  private final TimeSource time;
  private final RandomGenerator random;
  private final AtomicLong dueNanos;

  Cleaner(Transactions transactions, Dialect dialect, TimeSource time, RandomGenerator random) {
    this.transactions = transactions;
    this.sweep = new Sweep(dialect, AGE_MICROS, null, false);
    this.time = time;
    this.random = random;
    this.selectState =
        "select resource_cursor, cell_cursor from lockkeeper_state where id = 1"
            + dialect.forUpdateIfFree();
    this.dueNanos = new AtomicLong(time.nanos() + random.nextLong(PAUSE_NANOS));
  }

  /** Says that a row has been made. By chance: clients that live for a moment clean their share. */
  void made() {
    if (random.nextInt(MADE_PER_PAGE) == 0) {
      clean();
    }
  }

  /** Cleans if it is time; does not wait for that. Costs next to nothing if it is not. */
  void refresh() {
    long nowNanos = time.nanos();
    long due = dueNanos.get();
    if (nowNanos - due >= 0
        && dueNanos.compareAndSet(due, nowNanos + PAUSE_NANOS / 2 + random.nextLong(PAUSE_NANOS))) {
      clean();
    }
  }

  private void clean() {
    var unused = transactions.ask(ABOUT, new Cleaning());
  }

  /** A page of each table, from where the last client has stopped. */
  private final class Cleaning implements Step<Boolean> {

    @Override
    public boolean isSolitary() {
      return true;
    }

    @Override
    public Boolean run(SqlSession session) throws SQLException {
      long[] from = session.first(selectState, row -> new long[] {row.getLong(1), row.getLong(2)});
      if (from == null) {
        return false; // another client is at it
      }
      Sweep.Page resources = sweep.resources(session, from[0], PAGE);
      Sweep.Page cells = sweep.cells(session, from[1], PAGE);
      session.update(
          "update lockkeeper_state set resource_cursor = ?, cell_cursor = ? where id = 1",
          resources.last(),
          cells.last());
      if (resources.total() + cells.total() >= PAGE / 2) {
        session.ifCommitted(() -> dueNanos.set(time.nanos() + SHORT_PAUSE_NANOS));
      }
      return true;
    }
  }
}
