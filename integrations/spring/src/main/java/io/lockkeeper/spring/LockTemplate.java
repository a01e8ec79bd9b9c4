package io.lockkeeper.spring;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.HeldLease;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLock;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Quarantine;
import io.lockkeeper.ReadWriteOptions;
import io.lockkeeper.integration.LockInterruptedException;
import io.lockkeeper.integration.MethodLock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Does work with a lock held: what {@link Locked} does, without a proxy.
 *
 * <pre>{@code
 * int left = template.execute("stock:1001", lease -> stock.deduct(1, lease.token()));
 * }</pre>
 *
 * <p>The current thread owns the lock and may take it again inside; a semaphore does not re-enter.
 * What the work throws is thrown on, with a failure of the release, such as a loss, suppressed in
 * it. After work that threw nothing a loss is thrown as {@link io.lockkeeper.LeaseLostException}:
 * it may not have been alone.
 *
 * <p>Thread-safe.
 */
public final class LockTemplate {

  private static final System.Logger LOG = System.getLogger(Locked.class.getName());

  private final Lockkeeper keeper;
  private final LockSettings settings;

  /** Creates a template with default settings. */
  public LockTemplate(Lockkeeper keeper) {
    this(keeper, LockSettings.defaults());
  }

  /** Creates a template. Of the settings, the limit on the wait and the options count. */
  public LockTemplate(Lockkeeper keeper, LockSettings settings) {
    this.keeper = Objects.requireNonNull(keeper, "keeper");
    this.settings = Objects.requireNonNull(settings, "settings");
  }

  /**
   * Does work with the lock of this name, as {@link #execute(String, AcquireOptions, LeaseTask)}
   * with the limit on the wait that the settings say.
   *
   * @param name the name of the lock
   * @param task the work
   * @param <T> the result
   * @param <E> what the work may throw
   * @return what the work returns
   * @throws E what the work throws
   */
  public <T extends @Nullable Object, E extends Exception> T execute(
      String name, LeaseTask<? super Lease, T, E> task) throws E {
    return execute(name, withDefaultWait(AcquireOptions.defaults()), task);
  }

  /**
   * Does work with the lock of this name.
   *
   * @param name the name of the lock
   * @param options the limit on the wait, and the fixed time for which to hold
   * @param task the work
   * @param <T> the result
   * @param <E> what the work may throw
   * @return what the work returns
   * @throws E what the work throws
   * @throws AcquireTimeoutException if the wait was limited and is over
   * @throws LockInterruptedException if interrupted while waiting
   * @throws io.lockkeeper.LeaseLostException if the lease was lost during work that threw nothing
   * @throws io.lockkeeper.StoreUnavailableException if the store does not answer
   */
  public <T extends @Nullable Object, E extends Exception> T execute(
      String name, AcquireOptions options, LeaseTask<? super Lease, T, E> task) throws E {
    Objects.requireNonNull(task, "task");
    return run(LockRequest.of(name).with(options), lease -> task.call((Lease) lease));
  }

  /**
   * Does work with what is requested. The lease is a {@link Lease} if there is one name, else a
   * {@link io.lockkeeper.MultiLease}.
   *
   * @param request what to acquire; if it does not limit the wait, the settings do
   * @param task the work
   * @param <T> the result
   * @param <E> what the work may throw
   * @return what the work returns
   * @throws E what the work throws
   * @throws AcquireTimeoutException if the wait was limited and is over
   * @throws LockInterruptedException if interrupted while waiting
   * @throws io.lockkeeper.LeaseLostException if the lease was lost during work that threw nothing
   * @throws io.lockkeeper.StoreUnavailableException if the store does not answer
   */
  public <T extends @Nullable Object, E extends Exception> T execute(
      LockRequest request, LeaseTask<? super HeldLease, T, E> task) throws E {
    Objects.requireNonNull(task, "task");
    return run(request.with(withDefaultWait(request.options())), task);
  }

  private <T extends @Nullable Object, E extends Exception> T run(
      LockRequest request, LeaseTask<? super HeldLease, T, E> task) throws E {
    Hold hold;
    try {
      hold = hold(request);
    } catch (InterruptedException e) {
      throw interrupted(request, e);
    }
    T result;
    try {
      result = task.call(hold.lease());
    } catch (Throwable failure) {
      hold.releaseAfter(failure);
      throw failure;
    }
    hold.release();
    return result;
  }

  AcquireOptions withDefaultWait(AcquireOptions options) {
    if (options.maxWait().isPresent()) {
      return options;
    }
    Optional<Duration> wait = settings.waitTime();
    return wait.isPresent() ? options.withWait(wait.get()) : options;
  }

  static LockInterruptedException interrupted(LockRequest request, InterruptedException e) {
    Thread.currentThread().interrupt();
    return new LockInterruptedException("interrupted while waiting for " + request, e);
  }

  /** Takes what is requested for the current thread, or a permit of a semaphore. */
  Hold hold(LockRequest request) throws InterruptedException {
    if (request.permits() > 0) {
      return Hold.ofLease(acquire(request));
    }
    LeaseLock<?> lock = lock(request);
    if (request.options().equals(AcquireOptions.defaults())) {
      lock.lockInterruptibly();
    } else if (!lock.tryLock(request.options())) {
      throw MethodLock.notInTime(keeper, request.names(), request.options());
    }
    return Hold.ofThread(lock);
  }

  /**
   * Takes what is requested, as {@link Lockkeeper#once} does: tries again after a quarantine of the
   * store, unless that takes too long.
   */
  Hold holdOnce(LockRequest request, Duration longest) throws InterruptedException {
    long begin = System.nanoTime();
    while (true) {
      try {
        return hold(request);
      } catch (AcquireTimeoutException e) {
        Duration wait =
            keeper.admin().quarantine().map(Quarantine::remaining).orElse(Duration.ZERO);
        if (wait.isZero()) {
          throw e;
        }
        if (wait.compareTo(longest.minusNanos(System.nanoTime() - begin)) > 0) {
          LOG.log(System.Logger.Level.WARNING, "A call is skipped: {0}", e.getMessage());
          throw e;
        }
        try {
          return hold(request.with(request.options().withWait(wait)));
        } catch (AcquireTimeoutException others) {
          // another client has it, or the quarantine goes on
        }
      }
    }
  }

  /** Returns whether the current thread holds it already. */
  boolean isHeld(LockRequest request) {
    return request.permits() == 0 && lock(request).isHeldByCurrentThread();
  }

  /** Acquires a lease that belongs to no thread. */
  HeldLease acquire(LockRequest request) throws InterruptedException {
    if (request.permits() > 0) {
      return semaphore(request).acquire(request.options());
    }
    return lock(request).acquire(request.options());
  }

  DistributedSemaphore semaphore(LockRequest request) {
    return keeper.semaphore(request.names().get(0), request.permits());
  }

  LeaseLock<?> lock(LockRequest request) {
    if (request.names().size() == 1) {
      return lock(request.names().get(0), request.mode());
    }
    return Lockkeeper.multiLock(
        request.names().stream().map(name -> lock(name, request.mode())).toList());
  }

  private DistributedLock lock(String name, LockMode mode) {
    return switch (mode) {
      case LOCK -> keeper.lock(name, settings.options(name));
      case FAIR -> keeper.fairLock(name, settings.options(name));
      case READ -> readWriteLock(name).readLock();
      case WRITE -> readWriteLock(name).writeLock();
    };
  }

  private DistributedReadWriteLock readWriteLock(String name) {
    LockOptions options = settings.options(name);
    ReadWriteOptions converted =
        ReadWriteOptions.defaults().withConfirmedRelease(options.confirmsRelease());
    return keeper.readWriteLock(name, options.lease().map(converted::withLease).orElse(converted));
  }
}
