package io.lockkeeper.engine;

import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.Outcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/**
 * The local side of one cell in one client: {@link CellDesk} behind a mutex, with its effects
 * carried out in order. What is said of {@link Gate} is true of this: under the mutex nothing is
 * sent and nobody is told.
 */
final class CellGate implements CellEffects {

  private static final Outcome<CellUpdated> TOO_FEW =
      Outcome.unknown(new IllegalStateException("too few answers"));

  final CellId id;

  private final Engine engine;
  private final ReentrantLock mutex = new ReentrantLock();
  private final CellDesk desk;
  private final SerialQueue effects;

  /** When {@link #tick} wants to be called. Written under the mutex, read by the pulse. */
  private volatile long dueNanos = Margins.NEVER;

  /** Whether this gate is no longer the one of its cell. Guarded by the mutex. */
  private boolean retired;

  /** Whether {@link #close} has been here. Guarded by the mutex. */
  private boolean closed;

  /** Whether the store knows that nobody watches any more. Written under the mutex. */
  private volatile boolean quiet;

  CellGate(CellId id, Engine engine, long phaseNanos) {
    this.id = id;
    this.engine = engine;
    this.effects = new SerialQueue("'" + id.name() + "'", Runnable::run, engine::reportFailure);
    this.desk = new CellDesk(id, engine.policy(), this, phaseNanos, engine.now());
  }

  // ---------------------------------------------------------------- callers

  /** Lets a change in; returns false if this gate is retired and another must be asked. */
  boolean change(CellTask task) {
    return enter(now -> desk.change(task, now));
  }

  /** Lets a question in; returns false if this gate is retired. */
  boolean read(CompletableFuture<CellState> reader) {
    return enter(now -> desk.read(reader, now));
  }

  /** Lets a watcher in; returns false if this gate is retired. */
  boolean watch(CellWatcher watcher) {
    return enter(now -> desk.watch(watcher, now));
  }

  private boolean enter(LongConsumer change) {
    return step(
        now -> {
          if (retired) {
            return false;
          }
          if (engine.isClosed()) {
            throw closedException("this client is closed");
          }
          change.accept(now);
          return true;
        });
  }

  private LockkeeperClosedException closedException(String message) {
    return new LockkeeperClosedException("'" + id.name() + "': " + message);
  }

  /** Takes a watcher out; returns false if it was not there any more. */
  boolean leave(CellWatcher watcher) {
    return step(now -> desk.leave(watcher, now));
  }

  /** Returns whether the store leaves questions unanswered. */
  boolean isSilent() {
    return step(now -> desk.isSilent());
  }

  // ---------------------------------------------------------------- store

  void changed() {
    run(desk::changed);
  }

  void reconnected() {
    run(desk::reconnected);
  }

  void readAnswered(long number, Outcome<CellState> outcome) {
    run(now -> desk.readAnswered(number, outcome, now));
  }

  // ---------------------------------------------------------------- time

  long dueNanos() {
    return dueNanos;
  }

  /** Does what is due, and adds a read that is; returns false if the gate has retired. */
  boolean tick(List<CellReads.Item> reads) {
    return step(
        now -> {
          desk.retryIfDue(now);
          CellRead due = desk.takeReadIfDue(now);
          if (due != null) {
            reads.add(new CellReads.Item(this, due, desk.readNumber()));
          }
          retired |= desk.isRetirable(now);
          return !retired;
        });
  }

  /** Ends all waits; returns whether the store has still to be told something. */
  boolean close() {
    return step(
        now -> {
          closed = true;
          desk.close(closedException("this client was closed"), now);
          return !desk.isQuiet();
        });
  }

  // ---------------------------------------------------------------- steps

  private void run(LongConsumer change) {
    step(
        now -> {
          change.accept(now);
          return true;
        });
  }

  private <T> T step(LongFunction<T> change) {
    try {
      return underMutex(change);
    } finally { // a change that was refused, or failed, may have decided something before
      effects.drain();
      engine.scanBy(dueNanos);
      if (quiet) {
        engine.cells().quiet(this);
      }
    }
  }

  private <T> T underMutex(LongFunction<T> change) {
    mutex.lock();
    try {
      return change.apply(engine.now());
    } finally {
      dueNanos = retired || closed ? Margins.NEVER : desk.dueNanos();
      quiet = closed && desk.isQuiet();
      mutex.unlock();
    }
  }

  // ---------------------------------------------------------------- effects

  @Override
  public void update(CellBatch batch) {
    effects.add(
        () ->
            StoreCalls.tell(
                engine::reportFailure,
                id.name(),
                () -> engine.store().update(batch.update()),
                outcome -> updateAnswered(batch, outcome)));
  }

  private void updateAnswered(CellBatch batch, Outcome<CellUpdated> outcome) {
    Outcome<CellUpdated> whole = isWhole(batch, outcome) ? outcome : TOO_FEW;
    run(now -> desk.updateAnswered(batch, whole, now));
  }

  private static boolean isWhole(CellBatch batch, Outcome<CellUpdated> outcome) {
    return !(outcome instanceof Outcome.Answered<CellUpdated> answered)
        || answered.answer().results().size() == batch.tasks().size();
  }

  @Override
  public void read(CellRead read, long number) {
    effects.add(() -> CellReads.send(engine, List.of(new CellReads.Item(this, read, number))));
  }

  @Override
  public void tell(Runnable news) {
    effects.add(news);
  }
}
