package io.lockkeeper;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A lock in three views.
 *
 * <p><b>As a {@link Lock}</b> it is owned by a thread and re-entrant: {@link #lock()}, {@link
 * #tryLock()}, {@link #unlock()}.
 *
 * <p><b>Around some work</b>, which is the same with less to forget: {@link #run(Action)}, {@link
 * #call(Task)}, {@link #tryRun}, {@link #tryCall}.
 *
 * <p><b>As a source of leases</b> it belongs to no thread: {@link #acquire()}, {@link
 * #tryAcquire(Duration)}, {@link #acquireAsync()}. A lease is bound to no thread and never
 * re-enters: a thread that holds this lock by {@code lock()} and then calls {@code acquire()}
 * without a limit would wait for itself, and gets an {@link IllegalStateException} instead.
 *
 * <p>A {@link Duration} among the parameters is how long to wait. How long to hold is said by
 * {@link AcquireOptions#withFixedLease}; otherwise the hold is renewed in the background until it
 * is released, the client closes, or the owning thread is found dead.
 *
 * @param <L> the leases that it gives
 */
public interface LeaseLock<L extends HeldLease> extends Lock {

  /**
   * Some work that is done while a lock is held.
   *
   * @param <E> what it may throw
   */
  @FunctionalInterface
  interface Action<E extends Exception> {

    /** Does it. */
    void run() throws E;
  }

  /**
   * Some work with a result that is done while a lock is held.
   *
   * @param <T> the result
   * @param <E> what it may throw
   */
  @FunctionalInterface
  interface Task<T extends @Nullable Object, E extends Exception> {

    /** Does it. */
    T call() throws E;
  }

  /**
   * Some work that is done while a lock is held, and uses the lease.
   *
   * @param <L> the lease
   * @param <E> what it may throw
   */
  @FunctionalInterface
  interface LeaseAction<L, E extends Exception> {

    /** Does it. */
    void run(L lease) throws E;
  }

  /**
   * Some work with a result that is done while a lock is held, and uses the lease.
   *
   * @param <L> the lease
   * @param <T> the result
   * @param <E> what it may throw
   */
  @FunctionalInterface
  interface LeaseTask<L, T extends @Nullable Object, E extends Exception> {

    /** Does it. */
    T call(L lease) throws E;
  }

  // ------------------------------------------------------------- around some work

  /**
   * Does some work with this lock held by the current thread: {@link #lock()}, the work, {@link
   * #unlock()}.
   *
   * @param body the work; what it throws is thrown on, with a failure of the unlocking, such as a
   *     loss, suppressed in it
   * @param <E> what the work may throw
   * @throws E what the work throws
   * @throws LeaseLostException if the lease was lost during work that threw nothing, or as {@link
   *     #lock()} throws it; after work that was done, this says that it may not have been alone
   * @throws StoreUnavailableException as {@link #lock()}
   * @throws StoreRefusedException as {@link #lock()}
   * @throws LockkeeperClosedException as {@link #lock()}
   */
  default <E extends Exception> void run(Action<E> body) throws E {
    Objects.requireNonNull(body, "body");
    lock();
    Locked.run(this, body);
  }

  /**
   * As {@link #run(Action)}, with the {@linkplain #heldLease() lease} at hand, such as for its
   * token.
   *
   * @param body the work
   * @param <E> what the work may throw
   * @throws E what the work throws
   */
  default <E extends Exception> void run(LeaseAction<? super L, E> body) throws E {
    Objects.requireNonNull(body, "body");
    lock();
    Locked.run(this, () -> body.run(heldLease()));
  }

  /**
   * As {@link #run(Action)}, {@linkplain #lock(AcquireOptions) locked as the options say}.
   *
   * @param options for how long to wait and to hold
   * @param body the work
   * @param <E> what the work may throw
   * @throws E what the work throws
   * @throws AcquireTimeoutException if the options limit the wait and it has passed; the work is
   *     then not done
   */
  default <E extends Exception> void run(AcquireOptions options, Action<E> body) throws E {
    Objects.requireNonNull(body, "body");
    lock(options);
    Locked.run(this, body);
  }

  /**
   * As {@link #run(Action)}, with a result.
   *
   * @param body the work
   * @param <T> the result
   * @param <E> what the work may throw
   * @return what the work returns
   * @throws E what the work throws
   */
  default <T extends @Nullable Object, E extends Exception> T call(Task<T, E> body) throws E {
    Objects.requireNonNull(body, "body");
    lock();
    return Locked.call(this, body);
  }

  /**
   * As {@link #call(Task)}, with the {@linkplain #heldLease() lease} at hand, such as for its
   * token.
   *
   * @param body the work
   * @param <T> the result
   * @param <E> what the work may throw
   * @return what the work returns
   * @throws E what the work throws
   */
  default <T extends @Nullable Object, E extends Exception> T call(LeaseTask<? super L, T, E> body)
      throws E {
    Objects.requireNonNull(body, "body");
    lock();
    return Locked.call(this, () -> body.call(heldLease()));
  }

  /**
   * As {@link #run(AcquireOptions, Action)}, with a result.
   *
   * @param options for how long to wait and to hold
   * @param body the work
   * @param <T> the result
   * @param <E> what the work may throw
   * @return what the work returns
   * @throws E what the work throws
   * @throws AcquireTimeoutException if the options limit the wait and it has passed; the work is
   *     then not done
   */
  default <T extends @Nullable Object, E extends Exception> T call(
      AcquireOptions options, Task<T, E> body) throws E {
    Objects.requireNonNull(body, "body");
    lock(options);
    return Locked.call(this, body);
  }

  /**
   * As {@link #run(Action)}, if the lock can be had within {@code wait}.
   *
   * @param wait how long to wait at most; zero or less asks once and does not wait in the queue
   * @param body the work
   * @param <E> what the work may throw
   * @return whether the work was done; false if the time passed first
   * @throws E what the work throws
   * @throws InterruptedException if interrupted while waiting; the work is then not done
   */
  default <E extends Exception> boolean tryRun(Duration wait, Action<E> body)
      throws E, InterruptedException {
    Objects.requireNonNull(body, "body");
    if (!tryLock(wait)) {
      return false;
    }
    Locked.run(this, body);
    return true;
  }

  /**
   * As {@link #tryRun}, with a result.
   *
   * @param wait how long to wait at most; zero or less asks once and does not wait in the queue
   * @param body the work
   * @param <T> the result, which is not null
   * @param <E> what the work may throw
   * @return what the work returns; empty if the time passed first
   * @throws E what the work throws
   * @throws InterruptedException if interrupted while waiting; the work is then not done
   */
  default <T, E extends Exception> Optional<T> tryCall(Duration wait, Task<T, E> body)
      throws E, InterruptedException {
    Objects.requireNonNull(body, "body");
    return tryLock(wait) ? Optional.of(Locked.call(this, body)) : Optional.empty();
  }

  // ------------------------------------------------------------- as a source of leases

  /**
   * Returns the current thread's hold as a lease, to check its validity or to be notified of its
   * loss. The lease ends with the thread's last {@link #unlock()}; releasing it directly is the
   * same as unlocking all the way.
   *
   * @throws IllegalMonitorStateException if the current thread does not hold this lock and has not
   *     lost it either
   */
  L heldLease();

  /**
   * Acquires a lease, waiting as long as it takes.
   *
   * <p>Returns at once if the lock is free. Otherwise the thread waits until one of these happens:
   * the lock is granted; another thread interrupts it; the client is closed; the store has not
   * answered for the store timeout. If interrupted on entry or while waiting, the interrupt wins
   * over a grant that has not yet been returned, and nothing is left behind at the store.
   *
   * @return a valid lease, renewed until it is released
   * @throws InterruptedException if interrupted; the interrupted status is cleared
   * @throws IllegalStateException if the current thread holds this lock by {@link #lock()} and
   *     would wait for itself
   * @throws StoreUnavailableException if the store does not answer
   * @throws StoreRefusedException if the store answers that it cannot
   * @throws LockkeeperClosedException if the client is or gets closed
   */
  default L acquire() throws InterruptedException {
    return acquire(AcquireOptions.defaults());
  }

  /**
   * Acquires a lease as the options say.
   *
   * @throws AcquireTimeoutException if the options limit the wait and it has passed
   * @throws InterruptedException if interrupted; the interrupted status is cleared
   * @throws IllegalStateException as {@link #acquire()}
   * @throws StoreUnavailableException if the store does not answer
   * @throws StoreRefusedException if the store answers that it cannot
   * @throws LockkeeperClosedException if the client is or gets closed
   */
  L acquire(AcquireOptions options) throws InterruptedException;

  /**
   * Acquires a lease if that is possible within {@code wait}. Zero or less asks once and does not
   * wait in the queue.
   *
   * @return the lease, or empty if the time passed first
   * @throws InterruptedException if interrupted; the interrupted status is cleared
   * @throws StoreUnavailableException if the store gave no answer in all that time
   * @throws StoreRefusedException if the store answers that it cannot
   * @throws LockkeeperClosedException if the client is or gets closed
   */
  Optional<L> tryAcquire(Duration wait) throws InterruptedException;

  /**
   * Acquires a lease without blocking. The stage completes on the client's executor, with the lease
   * or with one of the exceptions of {@link #acquire()}. Cancelling {@code toCompletableFuture()}
   * gives up the place in the queue; what was granted by then is released.
   */
  default CompletionStage<L> acquireAsync() {
    return acquireAsync(AcquireOptions.defaults());
  }

  /**
   * As {@link #acquireAsync()}, with options; a limited wait that passes completes the stage with
   * an {@link AcquireTimeoutException}.
   */
  CompletionStage<L> acquireAsync(AcquireOptions options);

  // ------------------------------------------------------------- as a lock

  /**
   * {@inheritDoc}
   *
   * <p>Waits through interrupts and restores the interrupted status before it returns.
   *
   * @throws StoreUnavailableException if the store does not answer; the lock is then not held
   * @throws StoreRefusedException if the store answers that it cannot; the lock is then not held
   * @throws LeaseLostException if the current thread already held this lock, lost it, and has not
   *     yet unlocked it
   * @throws LockkeeperClosedException if the client is or gets closed
   */
  @Override
  void lock();

  /**
   * As {@link #lock()}, as the options say. On re-entry a fixed lease is ignored: the outer hold's
   * end stands.
   *
   * @throws AcquireTimeoutException if the options limit the wait and it has passed
   */
  void lock(AcquireOptions options);

  @Override
  void lockInterruptibly() throws InterruptedException;

  @Override
  boolean tryLock();

  @Override
  boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

  /**
   * As {@link #tryLock(long, TimeUnit)}.
   *
   * @param wait how long to wait at most; zero or less asks once and does not wait in the queue
   */
  default boolean tryLock(Duration wait) throws InterruptedException {
    return tryLock(AcquireOptions.defaults().withWait(wait));
  }

  /**
   * As {@link #tryLock(long, TimeUnit)}, as the options say; without a limit it waits as long as it
   * takes. On re-entry a fixed lease is ignored.
   */
  boolean tryLock(AcquireOptions options) throws InterruptedException;

  /**
   * {@inheritDoc}
   *
   * @throws IllegalMonitorStateException if the current thread does not hold this lock
   * @throws LeaseLostException if the current thread held it and has lost it; nobody else's hold is
   *     touched
   */
  @Override
  void unlock();

  /**
   * Not supported: a condition would have to wait at the store.
   *
   * @throws UnsupportedOperationException always
   */
  @Override
  Condition newCondition();

  /** Returns whether the current thread holds this lock by a lease that is still valid. */
  boolean isHeldByCurrentThread();

  /**
   * Returns how many times the current thread has locked without unlocking; 0 if its lease is lost.
   */
  int getHoldCount();
}
