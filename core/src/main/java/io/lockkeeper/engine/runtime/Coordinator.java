package io.lockkeeper.engine.runtime;

import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.engine.policy.Instants;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Coordinates what one client does with one thing at the store: a state behind a mutex, with its
 * effects carried out in order.
 *
 * <p>Every entry is the same three steps: change the state under the mutex, let the mutex go, carry
 * out what the state asked for, which has gone to an outbox. Nothing is sent, no thread is woken
 * and no user code runs while the mutex is held.
 */
public abstract class Coordinator {

  private final String name;
  private final ClientRuntime runtime;
  private final Draining<Coordinator> draining;
  private final ReentrantLock mutex = new ReentrantLock();

  /** When something is due. Written under the mutex, read by the ticker. */
  private volatile long dueNanos = Instants.NEVER;

  /** Whether this coordinator is no longer the one of its name. Guarded by the mutex. */
  private boolean retired;

  /** Whether {@link #close} has been here. Guarded by the mutex. */
  private boolean closed;

  /** Whether the store has confirmed all that was given up by closing. Written under the mutex. */
  private volatile boolean drained;

  /**
   * Creates one.
   *
   * @param name the name that the user chose, for messages
   * @param draining is notified when the store has confirmed all that was given up by closing
   */
  protected Coordinator(String name, ClientRuntime runtime, Draining<Coordinator> draining) {
    this.name = name;
    this.runtime = runtime;
    this.draining = draining;
  }

  /** Returns the name that the user chose, for messages. */
  public final String name() {
    return name;
  }

  /** Returns what the client runs on. */
  public final ClientRuntime runtime() {
    return runtime;
  }

  /** Returns when something is due. */
  public final long dueNanos() {
    return dueNanos;
  }

  /** Asks everything again: messages may have been missed, and what failed may work again. */
  public abstract void reconnected();

  // ---------------------------------------------------------------- the state

  /** Returns when something is due about the state. Called under the mutex. */
  protected abstract long stateDueNanos();

  /** Returns whether the store has confirmed all that was given up. Called under the mutex. */
  protected abstract boolean isStateDrained();

  /** Ends all waits and holds. Called under the mutex. */
  protected abstract void closeState(long now);

  /** Checks what must always hold, where assertions are on. Called under the mutex. */
  protected boolean isSound() {
    return true;
  }

  /** Asks again about all, because an error came after a decision. Called under the mutex. */
  protected void afterError(long now) {}

  /** Carries out what the state has asked for. */
  protected abstract void drainOutbox();

  // ---------------------------------------------------------------- steps

  /** Lets a request in; returns false if this coordinator has retired and another must be asked. */
  protected final boolean enter(LongConsumer change) {
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

  /** Returns the exception for what was ended by closing. */
  protected final LockkeeperClosedException closedException(String message) {
    return new LockkeeperClosedException("'" + name + "': " + message);
  }

  /**
   * Does what is due; returns false if this coordinator has retired.
   *
   * @param tick returns whether it may retire
   */
  protected final boolean tick(LongPredicate tick) {
    return step(
        now -> {
          retired |= tick.test(now);
          return !retired;
        });
  }

  /** Ends all waits and holds; returns whether the store still has to confirm something. */
  final boolean close() {
    return step(
        now -> {
          closeState(now);
          closed = true;
          return !isStateDrained();
        });
  }

  /** Returns whether it was closed. Called under the mutex. */
  protected final boolean isClosed() {
    return closed;
  }

  /** Changes the state, and carries out what follows. */
  protected final void change(LongConsumer change) {
    step(
        now -> {
          change.accept(now);
          return true;
        });
  }

  /** Changes the state, and carries out what follows; returns what the change returns. */
  protected final <T extends @Nullable Object> T step(LongFunction<T> change) {
    try {
      return underMutex(change);
    } finally { // a change that was refused, or failed, may have decided something before
      drainOutbox();
      runtime.scanBy(dueNanos);
      if (drained) {
        draining.drained(this);
      }
    }
  }

  private <T extends @Nullable Object> T underMutex(LongFunction<T> change) {
    mutex.lock();
    try {
      T result = change.apply(runtime.now());
      assert isSound();
      return result;
    } catch (Error failure) {
      if (!(failure instanceof AssertionError)) {
        afterError(runtime.now());
      }
      throw failure;
    } finally {
      dueNanos = retired ? Instants.NEVER : stateDueNanos();
      drained = closed && isStateDrained();
      mutex.unlock();
    }
  }

  /** Reads the state, which changes nothing. */
  protected final <T extends @Nullable Object> T look(Supplier<T> question) {
    mutex.lock();
    try {
      return question.get();
    } finally {
      mutex.unlock();
    }
  }
}
