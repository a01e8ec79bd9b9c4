package io.lockkeeper.engine.register;

import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.runtime.Draining;
import io.lockkeeper.engine.runtime.SerialExecutor;
import io.lockkeeper.engine.runtime.StoreCalls;
import io.lockkeeper.engine.state.Receiver;
import io.lockkeeper.engine.state.RegisterBatch;
import io.lockkeeper.engine.state.RegisterChange;
import io.lockkeeper.engine.state.RegisterEffects;
import io.lockkeeper.engine.state.RegisterState;
import io.lockkeeper.engine.state.RegisterWatcher;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.Outcome;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Coordinates what one client does with one register: a {@link RegisterState} behind a mutex, with
 * its effects carried out in order. As for every resource, nothing is sent and no listener is
 * called under the mutex.
 */
public final class RegisterCoordinator {

  private static final Outcome<CellUpdated> TOO_FEW =
      Outcome.unknown(new IllegalStateException("too few answers"));

  private final CellId id;
  private final ClientRuntime runtime;
  private final Draining<RegisterCoordinator> draining;
  private final ReentrantLock mutex = new ReentrantLock();
  private final RegisterState state;
  private final SerialExecutor outbox;

  /** When {@link #tick} wants to be called. Written under the mutex, read by the ticker. */
  private volatile long dueNanos = Instants.NEVER;

  /** Whether this coordinator is no longer the one of its register. Guarded by the mutex. */
  private boolean retired;

  /** Whether {@link #close} has been here. Guarded by the mutex. */
  private boolean closed;

  /** Whether the store knows that nobody watches any more. Written under the mutex. */
  private volatile boolean drained;

  RegisterCoordinator(
      CellId id, ClientRuntime runtime, Draining<RegisterCoordinator> draining, long phaseNanos) {
    this.id = id;
    this.runtime = runtime;
    this.draining = draining;
    this.outbox = new SerialExecutor("'" + id.name() + "'", Runnable::run, runtime::reportFailure);
    this.state = new RegisterState(id, runtime.policy(), new Effects(), phaseNanos, runtime.now());
  }

  CellId id() {
    return id;
  }

  // ---------------------------------------------------------------- callers

  /** Lets a change in; returns false if this coordinator has retired and another must be asked. */
  boolean change(RegisterChange change) {
    return enter(now -> state.change(change, now));
  }

  /** Lets a question in; returns false if this coordinator has retired. */
  boolean read(Receiver<CellState> reader) {
    return enter(now -> state.read(reader, now));
  }

  /** Lets a watcher in; returns false if this coordinator has retired. */
  boolean watch(RegisterWatcher watcher) {
    return enter(now -> state.watch(watcher, now));
  }

  private boolean enter(LongConsumer change) {
    return step(
        now -> {
          if (retired) {
            return false;
          }
          if (runtime.isClosed()) {
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
  public boolean leave(RegisterWatcher watcher) {
    return step(now -> state.leave(watcher, now));
  }

  /** Returns why the store has not answered the last question, or null if it has. */
  public @Nullable Throwable lastFailure() {
    return step(now -> state.lastFailure());
  }

  // ---------------------------------------------------------------- store

  void changed() {
    run(state::changed);
  }

  void reconnected() {
    run(state::reconnected);
  }

  private void readAnswered(long number, Outcome<CellState> outcome) {
    run(now -> state.readAnswered(number, outcome, now));
  }

  // ---------------------------------------------------------------- time

  long dueNanos() {
    return dueNanos;
  }

  /** Does what is due, and adds a read that is; returns false if this coordinator has retired. */
  boolean tick(RegisterReads reads) {
    return step(
        now -> {
          state.retryIfDue(now);
          CellRead due = state.takeReadIfDue(now);
          if (due != null) {
            long number = state.readNumber();
            reads.add(due, outcome -> readAnswered(number, outcome));
          }
          retired |= state.isRetirable(now);
          return !retired;
        });
  }

  /** Ends all waits; returns whether the store has still to be told something. */
  boolean close() {
    return step(
        now -> {
          closed = true;
          state.close(closedException("this client was closed"), now);
          return !state.isDrained();
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

  private <T extends @Nullable Object> T step(LongFunction<T> change) {
    try {
      return underMutex(change);
    } finally { // a change that was refused, or failed, may have decided something before
      outbox.drain();
      runtime.scanBy(dueNanos);
      if (drained) {
        draining.drained(this);
      }
    }
  }

  private <T extends @Nullable Object> T underMutex(LongFunction<T> change) {
    mutex.lock();
    try {
      return change.apply(runtime.now());
    } finally {
      dueNanos = retired || closed ? Instants.NEVER : state.dueNanos();
      drained = closed && state.isDrained();
      mutex.unlock();
    }
  }

  // ---------------------------------------------------------------- effects

  private void updateAnswered(RegisterBatch batch, Outcome<CellUpdated> outcome) {
    Outcome<CellUpdated> whole = isWhole(batch, outcome) ? outcome : TOO_FEW;
    run(now -> state.updateAnswered(batch, whole, now));
  }

  private static boolean isWhole(RegisterBatch batch, Outcome<CellUpdated> outcome) {
    return !(outcome instanceof Outcome.Answered<CellUpdated> answered)
        || answered.answer().results().size() == batch.changes().size();
  }

  /** Carries out what the state wants done, in order. */
  private final class Effects implements RegisterEffects {

    @Override
    public void update(RegisterBatch batch) {
      outbox.add(
          () ->
              StoreCalls.tell(
                  runtime,
                  id.name(),
                  () -> runtime.store().update(batch.update()),
                  outcome -> updateAnswered(batch, outcome)));
    }

    @Override
    public void read(CellRead read, long number) {
      outbox.add(
          () -> {
            RegisterReads reads = new RegisterReads();
            reads.add(read, outcome -> readAnswered(number, outcome));
            reads.send(runtime);
          });
    }

    @Override
    public void tell(Runnable news) {
      outbox.add(news);
    }
  }
}
