package io.lockkeeper.jdbc;

import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.support.Deadlines;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs steps in short transactions, on few threads: each takes a connection when there is work, and
 * does what has gathered in one transaction.
 *
 * <p>A transaction that lost against another one (a deadlock, a serialization failure, a lock that
 * took too long) is run again until the time limit. What else goes wrong is an outcome. A group
 * that failed is done again one by one, so that no step takes another with it.
 *
 * <p>This file is long because a step has to be followed through all its ends in one place.
 */
final class Transactions implements AutoCloseable {

  private static final Logger LOG = System.getLogger("io.lockkeeper");

  private static final long FIRST_PAUSE_NANOS = 100_000;

  /** How often a group is run again before its calls are done one by one. */
  private static final int GROUP_ATTEMPTS = 20;

  private final Connections links;
  private final NotificationChannel notifications;
  private final String clientId;
  private final long timeoutNanos;
  private final TimeSource time;
  private final RandomGenerator random;
  private final CallQueue queue = new CallQueue();
  private final Scheduler scheduler;

  /** Ends late calls: a thread may be stuck in a driver whose server is gone. */
  private final Deadlines deadlines;

  private final List<Thread> workers;

  /** How many threads wait for a connection. */
  private final AtomicInteger taking = new AtomicInteger();

  /** Whether it has been said that there is none. */
  private final AtomicBoolean isStarved = new AtomicBoolean();

  private volatile @Nullable NotificationListener listener;

  Transactions(
      Connections links,
      NotificationChannel notifications,
      String clientId,
      long timeoutNanos,
      int workers,
      Environment environment) {
    this.links = links;
    this.notifications = notifications;
    this.clientId = clientId;
    this.timeoutNanos = timeoutNanos;
    this.time = environment.time();
    this.random = environment.random();
    this.scheduler = environment.schedulers().get();
    this.deadlines = new Deadlines(TimeUnit.NANOSECONDS.toMillis(timeoutNanos), scheduler);
    this.workers =
        IntStream.range(0, workers)
            .mapToObj(i -> new Thread(this::work, "lockkeeper-jdbc-" + i))
            .toList();
    this.workers.forEach(
        worker -> {
          worker.setDaemon(true);
          worker.start();
        });
  }

  /**
   * Sets who gets the notifications that a transaction of this client has for this client itself.
   */
  void listen(NotificationListener hearer) {
    listener = hearer;
  }

  /** Asks for a step about a resource. */
  <T> CompletableFuture<Outcome<T>> ask(ResourceId resource, Step<T> step) {
    return ask(resource.toString(), step);
  }

  /**
   * Asks for a step. It is begun after all steps about the same that were asked for before, and
   * never after its time limit.
   *
   * @param about what it is about; steps of a transaction are done in the order of these names, so
   *     that two transactions do not wait for each other
   */
  <T> CompletableFuture<Outcome<T>> ask(String about, Step<T> step) {
    PendingStep<T> call = new PendingStep<>(about, time.nanos() + timeoutNanos, step);
    if (!queue.add(call)) {
      call.fail(closed());
      return call.outcome; // and nothing is planned any more
    }
    return deadlines.limit(call.outcome).exceptionally(tooLate -> late().toOutcome());
  }

  private void work() {
    while (queue.awaitCalls()) {
      try {
        serve();
      } catch (Throwable broken) {
        // The calls concerned have failed; the thread must go on for the others.
        LOG.log(Level.ERROR, "a transaction ended in a way that it must not", broken);
      }
    }
  }

  /** Serves as long as there are calls. */
  private void serve() {
    SqlLink link;
    taking.incrementAndGet();
    try {
      link = links.take();
      isStarved.set(false);
    } catch (Throwable none) {
      failNext(none);
      return;
    } finally {
      taking.decrementAndGet();
    }
    boolean broken = true; // until proven otherwise: a transaction may be open
    try {
      broken = !serveAll(link);
    } finally {
      links.giveBack(link, broken);
    }
  }

  /** Returns why a call has no answer in time. */
  private SqlFailure late() {
    long millis = TimeUnit.NANOSECONDS.toMillis(timeoutNanos);
    if (taking.get() < workers.size()) {
      return SqlFailure.late(millis);
    }
    String message =
        "no connection was given within "
            + millis
            + " ms: the database does not answer, or all connections are in use. "
            + BorrowedLinks.ADVICE;
    if (isStarved.compareAndSet(false, true)) {
      LOG.log(Level.WARNING, message);
    }
    return new SqlFailure.Doubt(new SQLTimeoutException(message));
  }

  /** Returns whether the connection is still good. */
  private boolean serveAll(SqlLink link) {
    boolean good = true;
    List<PendingStep<?>> calls = queue.take();
    while (!calls.isEmpty() && good) {
      try {
        good = !link.isStale();
        if (good) {
          good = serve(link, calls) && isDrained(link);
        } else {
          renewed(calls);
        }
      } catch (Throwable broken) {
        calls.forEach(call -> call.fail(new SqlFailure.Doubt(broken)));
        throw broken;
      } finally {
        queue.done(calls);
      }
      calls = good ? queue.take() : List.of();
    }
    return good;
  }

  /** Returns whether the connection is still good after it was rid of what it need not keep. */
  private static boolean isDrained(SqlLink link) {
    try {
      link.drain();
      return true;
    } catch (SQLException broken) {
      return false; // the calls are done
    }
  }

  /** Does the calls on another connection: the one that there is leads to a file that is gone. */
  private void renewed(List<PendingStep<?>> calls) {
    LOG.log(
        Level.WARNING,
        "the file of the locks was deleted or replaced; the locks that were held in it are lost");
    if (!queue.putBack(calls)) {
      calls.forEach(call -> call.fail(closed()));
    }
    NotificationListener hearer = listener;
    if (hearer != null) {
      hearer.reconnected();
    }
  }

  private void failNext(Throwable cause) {
    List<PendingStep<?>> calls = queue.take();
    calls.forEach(call -> call.fail(new SqlFailure.Doubt(cause)));
    queue.done(calls);
  }

  /** Returns whether the connection is still good. */
  private boolean serve(SqlLink link, List<PendingStep<?>> calls) {
    List<PendingStep<?>> due =
        calls.stream()
            .filter(call -> !call.outcome.isDone())
            .sorted(Comparator.comparing((PendingStep<?> call) -> call.about))
            .toList();
    if (due.size() > 1) {
      switch (together(link, due)) {
        case DONE -> {
          return true;
        }
        case IN_DOUBT -> {
          return false; // the driver may have been in the middle of something
        }
        case UNDONE -> {
          // one by one
        }
      }
    }
    for (int i = 0; i < due.size(); i++) {
      PendingStep<?> call = due.get(i);
      SqlFailure failure = single(link, call);
      if (failure != null) {
        boolean isGood = undo(link) && !failure.isReadOnly();
        call.fail(failure);
        if (isGood && failure.isOfError()) {
          // The driver may have been in the middle of something. The others get another connection.
          List<PendingStep<?>> others = due.subList(i + 1, due.size());
          if (!queue.putBack(others)) {
            others.forEach(other -> other.fail(closed()));
          }
          return false;
        } else if (!isGood) {
          due.forEach(left -> left.fail(failure));
          return false;
        }
      }
    }
    return true;
  }

  /** The outcome of a transaction that several calls share. */
  private enum End {
    DONE,
    UNDONE,
    /** It may be committed or not: what it did must not be done again. The calls have failed. */
    IN_DOUBT
  }

  /** Tries to do all in one transaction. */
  private End together(SqlLink link, List<PendingStep<?>> calls) {
    long pause = FIRST_PAUSE_NANOS;
    for (int attempts = 0; attempts < GROUP_ATTEMPTS; attempts++) {
      SqlSession session = new SqlSession(link);
      boolean isEnding = false;
      Throwable failure = null;
      try {
        link.begin();
        for (PendingStep<?> call : calls) {
          if (!call.runAlone(session)) {
            call.run(session);
          }
        }
        isEnding = true;
        commit(session);
      } catch (Throwable e) {
        failure = e;
      }
      if (failure == null) {
        succeed(session, calls);
        return End.DONE;
      }
      link.learn(failure);
      boolean isGood = undo(link);
      if (isEnding && saysNothing(link, failure)) {
        SqlFailure doubt = new SqlFailure.Doubt(failure);
        calls.forEach(call -> call.fail(doubt));
        return End.IN_DOUBT;
      } else if (!isGood || !isLostRace(link, failure)) {
        return End.UNDONE;
      }
      LockSupport.parkNanos(random.nextLong(pause) + 1);
      pause = longer(link, pause);
    }
    return End.UNDONE;
  }

  /** Returns whether a failure of a commit leaves open what the database has done. */
  private static boolean saysNothing(SqlLink link, Throwable e) {
    return !(e instanceof SQLException sql) || link.dialect().verdict(sql) == Verdict.UNKNOWN;
  }

  private static boolean isLostRace(SqlLink link, Throwable e) {
    return e instanceof SQLException sql && link.dialect().verdict(sql) == Verdict.AGAIN;
  }

  private static long longer(SqlLink link, long pause) {
    return Math.min(link.dialect().longestPauseNanos, 2 * pause);
  }

  /** Does one call, again and again if need be; returns null or why there is no answer. */
  private @Nullable SqlFailure single(SqlLink link, PendingStep<?> call) {
    for (long pause = FIRST_PAUSE_NANOS; ; pause = longer(link, pause)) {
      SqlSession session = new SqlSession(link);
      boolean isEnding = false;
      Throwable failure = null;
      try {
        if (!call.runAlone(session)) {
          link.begin();
          call.run(session);
          isEnding = true;
          commit(session);
        }
      } catch (Throwable e) {
        failure = e;
      }
      if (failure == null) {
        succeed(session, List.of(call));
        return null;
      } else if (isEnding && saysNothing(link, failure)) {
        return new SqlFailure.Doubt(failure);
      }
      link.learn(failure);
      boolean mayRepeat =
          isLostRace(link, failure) && call.deadlineNanos - time.nanos() > 2 * pause && undo(link);
      if (!mayRepeat) {
        return SqlFailure.of(failure, link.dialect(), call.about);
      }
      LockSupport.parkNanos(random.nextLong(pause) + 1);
    }
  }

  private void commit(SqlSession session) throws SQLException {
    List<Notification> toOthers =
        session.notifications().stream()
            .filter(notification -> !notification.client().equals(clientId))
            .toList();
    if (!toOthers.isEmpty()) {
      notifications.send(session, toOthers);
    }
    session.commit();
  }

  /** Nothing that fails from here on changes that it is committed. */
  private void succeed(SqlSession session, List<PendingStep<?>> calls) {
    afterCommit(session::committed);
    for (PendingStep<?> call : calls) {
      afterCommit(call::succeed);
      call.fail(new SqlFailure.Doubt(new IllegalStateException("it was done, and has no answer")));
    }
    NotificationListener hearer = listener;
    if (hearer != null) {
      session.notifications().stream()
          .filter(notification -> notification.client().equals(clientId))
          .forEach(notification -> afterCommit(() -> notification.deliver(hearer)));
    }
  }

  /** Runs a task whose failure must not look like one of what has been committed. */
  private static void afterCommit(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      LOG.log(Level.WARNING, "what follows a committed transaction failed", e);
    }
  }

  /** Undoes what is under way, and returns whether the connection is still good. */
  private static boolean undo(SqlLink link) {
    try {
      link.rollback();
      link.forgetStatements();
      return !link.connection().isClosed();
    } catch (SQLException | RuntimeException | Error broken) {
      return false;
    }
  }

  private static SqlFailure closed() {
    return new SqlFailure.Doubt(new IllegalStateException("the client is closed"));
  }

  /** Ends the threads. Calls that were not begun are not begun any more. */
  @Override
  public void close() {
    queue.close().forEach(call -> call.fail(closed()));
    scheduler.close();
    boolean interrupted = false;
    for (Thread worker : workers) {
      if (worker != Thread.currentThread()) {
        try {
          worker.join(TimeUnit.NANOSECONDS.toMillis(timeoutNanos) / 4 + 1);
        } catch (InterruptedException e) {
          interrupted = true;
          break;
        }
      }
    }
    links.close();
    workers.stream().filter(w -> w != Thread.currentThread()).forEach(Thread::interrupt);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
