package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The connection of one client, each of whose statements and commits waits for a command to go.
 *
 * <p>It is one and the same connection for good, which now and then seems to break: then its
 * transaction is rolled back.
 */
final class SteppedSource extends FollowedSource {

  /** What becomes of a statement or commit. */
  enum Fate {
    DONE,
    /** It does not reach the database, and the connection breaks. */
    LOST,
    /** It is carried out, the connection breaks, and nobody learns of it. */
    DONE_UNHEARD
  }

  /** What all clients of a simulation share. */
  static final class Stage {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile @Nullable Thread waiting;
    // All below is guarded by lock.
    private long points;
    private boolean isFree = true;

    /** Has each statement go as it comes. */
    void free(boolean wish) {
      lock.lock();
      try {
        isFree = wish;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    /** Waits until something may have changed, or for this long. */
    void await(long millis) {
      waiting = Thread.currentThread();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** Wakes who waits in {@link #await}. */
    void tell() {
      LockSupport.unpark(waiting);
    }
  }

  private final Stage stage;
  private final UnaryOperator<String> rewriting;
  private final String whoAmI;
  private @Nullable Connection connection;
  private volatile long backend;
  // All below is guarded by stage.lock.
  private @Nullable String next;
  private @Nullable Fate fate;
  private boolean inTransaction;
  private boolean holdsRow;
  private long lastPoint = -1;
  private long lostPoint = -1;

  /**
   * Creates it.
   *
   * @param whoAmI asks for the number that the database knows a connection by
   */
  SteppedSource(DataSource source, Stage stage, UnaryOperator<String> rewriting, String whoAmI) {
    super(source);
    this.stage = stage;
    this.rewriting = rewriting;
    this.whoAmI = whoAmI;
  }

  @Override
  Connection open() throws SQLException {
    Connection there = connection;
    if (there == null) {
      there = super.open();
      connection = there;
      try (Statement statement = there.createStatement();
          ResultSet rows = statement.executeQuery(whoAmI)) {
        rows.next();
        backend = rows.getLong(1);
      }
    }
    return there;
  }

  /** Returns the number that the database knows the connection by. */
  long backend() {
    return backend;
  }

  /** Returns the statement or commit that waits, or null. */
  @Nullable String next() {
    return locked(() -> next);
  }

  /** Returns whether what waits, or is under way, is a transaction of its own. */
  boolean isAlone() {
    return locked(() -> !inTransaction);
  }

  /** Returns whether it may have locked rows in a transaction that has not ended. */
  boolean holdsRow() {
    return locked(() -> holdsRow);
  }

  /** Returns when the latest transaction took effect, in the order of all. */
  long lastPoint() {
    return locked(() -> lastPoint);
  }

  /** Returns when the one took effect that was carried out unheard just now; -1 for none. */
  long lostPoint() {
    return locked(() -> lostPoint);
  }

  /** Lets what waits go. */
  void go(Fate wish) {
    locked(
        () -> {
          fate = wish;
          next = null;
          stage.changed.signalAll();
          return true;
        });
  }

  private interface Work<T> {
    T run();
  }

  private <T> T locked(Work<T> work) {
    stage.lock.lock();
    try {
      return work.run();
    } finally {
      stage.lock.unlock();
    }
  }

  private Fate awaitTurn(String sql) {
    stage.lock.lock();
    try {
      lostPoint = -1;
      if (!stage.isFree) {
        fate = null;
        next = sql;
        stage.tell();
        while (fate == null && !stage.isFree) {
          stage.changed.awaitUninterruptibly();
        }
        next = null;
      }
      return fate == null || stage.isFree ? Fate.DONE : fate;
    } finally {
      stage.lock.unlock();
    }
  }

  private long point() {
    return locked(() -> lastPoint = ++stage.points);
  }

  @Override
  Follower follow(Connection there) {
    return new Stepping(there);
  }

  private final class Stepping extends Follower {

    private final Connection there;
    private volatile boolean broken;

    Stepping(Connection there) {
      this.there = there;
    }

    @Override
    String rewritten(String sql) {
      return rewriting.apply(sql);
    }

    @Override
    boolean isBroken() {
      return broken;
    }

    /** The connection stays open, for the next time. */
    @Override
    void close(Connection unused) {}

    @Override
    Object around(String sql, Sending sending) throws Throwable {
      boolean begins = sql.startsWith("begin") || sql.startsWith("start");
      boolean isCommitted = sql.equals("commit") && isAlone(); // by a statement
      boolean isSetting = sql.startsWith("set ") && !sql.contains(";");
      if (isSetting || isCommitted) {
        return sending.send();
      } else if (begins && !sql.contains(";")) {
        Object result = sending.send();
        locked(() -> inTransaction = true);
        return result;
      } else if (sql.equals("rollback")) {
        locked(() -> inTransaction = holdsRow = false);
        return sending.send();
      }
      Fate told = awaitTurn(sql);
      if (told == Fate.LOST) {
        throw lost();
      }
      locked(() -> inTransaction |= begins);
      boolean isCommit = sql.equals("commit") || sql.endsWith("; commit");
      boolean isAlone = isAlone();
      if (isCommit) {
        point(); // before others go on who wait for it
      } else if (!isAlone) {
        locked(() -> holdsRow = true);
      }
      Object result = sending.send();
      boolean took = isCommit || (isAlone && !sql.startsWith("select") && found(result));
      if (isCommit) {
        locked(() -> inTransaction = holdsRow = false);
      } else if (isAlone) {
        point();
      }
      if (told == Fate.DONE_UNHEARD) {
        locked(() -> lostPoint = took ? lastPoint : -1);
        throw lost();
      }
      return result;
    }

    private SQLException lost() throws SQLException {
      if (!isAlone()) {
        there.rollback();
      }
      there.setAutoCommit(true); // also after a commit that took effect unheard
      broken = true;
      locked(() -> inTransaction = holdsRow = false);
      return broken();
    }
  }

  /** Returns whether an update has changed rows, or a query found some. */
  private static boolean found(Object result) throws SQLException {
    return result instanceof ResultSet rows
        ? rows.isBeforeFirst()
        : result instanceof Integer count && count > 0;
  }
}
