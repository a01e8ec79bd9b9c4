package io.lockkeeper.shedlock;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.jspecify.annotations.Nullable;

/**
 * ShedLock's locks on any store of a {@link Lockkeeper}.
 *
 * <pre>{@code
 * @Bean
 * LockProvider lockProvider(Lockkeeper keeper) {
 *   return new LockkeeperLockProvider(keeper);
 * }
 * }</pre>
 *
 * <p>ShedLock's lock of a name is {@link Lockkeeper#lock(String)} of that name: other code can wait
 * for it, and see who holds it. {@code lockAtMostFor} is a fixed lease. ShedLock's {@code
 * KeepAliveLockProvider} works on this one.
 *
 * <p><b>At least.</b> A job that is over before {@code lockAtLeastFor} leaves the lock closed by
 * {@link Lease#releaseAfter}: the store keeps it so, also when this client is closed or its process
 * dies. The call that ends the job waits for the store, and fails if that does not answer; then the
 * lock may be free at once.
 *
 * <p><b>Too long.</b> The end of a job that took longer than {@code lockAtMostFor} logs a warning:
 * another instance may have run it meanwhile. It touches nobody's lock.
 *
 * <p><b>Limits.</b> A {@code lockAtMostFor} of more than 24 hours is refused; a job of that length
 * needs {@code KeepAliveLockProvider}. One below 50 milliseconds is ended by this client in time,
 * and if its process dies, by the store after 50 milliseconds.
 *
 * <p><b>Closing.</b> Close the provider before the client; Spring does, if it is a bean. A client
 * that is closed alone gives the locks of running jobs back at once, also before their {@code
 * lockAtLeastFor}.
 *
 * <p>Thread-safe.
 */
public final class LockkeeperLockProvider implements ExtensibleLockProvider, AutoCloseable {

  private static final Duration SHORTEST = Duration.ofMillis(50);

  /** How long closing waits for jobs. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final System.Logger LOG = System.getLogger(LockkeeperLockProvider.class.getName());

  private final Lockkeeper keeper;
  private final String prefix;
  private final Duration patience;

  /** The latest of each lease that a job holds. */
  private final ConcurrentMap<Lease, JobLock> running = new ConcurrentHashMap<>();

  private volatile boolean closed;

  /** Creates a provider whose locks have the names that ShedLock gives them. */
  public LockkeeperLockProvider(Lockkeeper keeper) {
    this(keeper, "");
  }

  /**
   * Creates a provider.
   *
   * @param prefix what stands before the names, such as {@code job:}
   */
  public LockkeeperLockProvider(Lockkeeper keeper, String prefix) {
    this(keeper, prefix, PATIENCE);
  }

  LockkeeperLockProvider(Lockkeeper keeper, String prefix, Duration patience) {
    this.keeper = Objects.requireNonNull(keeper, "keeper");
    this.prefix = Objects.requireNonNull(prefix, "prefix");
    this.patience = patience;
  }

  /**
   * Takes the lock if it is free. Does not wait. A closed provider gives no locks.
   *
   * @throws IllegalArgumentException if {@code lockAtMostFor} is longer than 24 hours
   * @throws io.lockkeeper.StoreUnavailableException if the store does not answer
   */
  @Override
  public Optional<SimpleLock> lock(LockConfiguration configuration) {
    if (closed) {
      return Optional.empty();
    }
    long asked = System.nanoTime();
    AcquireOptions options =
        AcquireOptions.defaults().withWait(Duration.ZERO).withFixedLease(lease(configuration));
    try {
      Lease lease = keeper.lock(prefix + configuration.getName()).acquire(options);
      JobLock job = new JobLock(configuration, lease, asked, new CompletableFuture<>());
      var unused = job.over.thenRun(() -> running.remove(lease));
      lease.lost().thenRun(job::end);
      if (closed) { // meanwhile
        lease.release();
        job.end();
        return Optional.empty();
      }
      return Optional.of(job);
    } catch (AcquireTimeoutException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /**
   * Ends the giving of locks and waits up to 5 seconds for jobs that still run, so that those that
   * end by then give their locks back as always. The lock of one that goes on stays closed until
   * its {@code lockAtMostFor} is over, as if its process had died: nobody else runs the job beside
   * it. Does not close the client.
   *
   * <p>An interrupt ends the wait for the jobs and is preserved. Closing again does nothing.
   */
  @Override
  public void close() {
    closed = true;
    awaitJobs(running.values().stream().map(job -> job.over).toArray(CompletableFuture<?>[]::new));
    List.copyOf(running.values()).forEach(JobLock::leaveClosed);
  }

  private void awaitJobs(CompletableFuture<?>[] jobs) {
    try {
      CompletableFuture.allOf(jobs).get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException e) {
      LOG.log(System.Logger.Level.INFO, "jobs still run: their locks stay closed");
    } catch (ExecutionException e) {
      throw new AssertionError(e); // nothing fails them
    }
  }

  private static Duration lease(LockConfiguration configuration) {
    Duration most = configuration.getLockAtMostFor();
    return most.compareTo(SHORTEST) < 0 ? SHORTEST : most;
  }

  /** One run of a job, or what is left of it after an extension. */
  private final class JobLock extends AbstractSimpleLock {

    private final Lease lease;
    private final long since;

    /** Completes when the job is over, however often its lock was extended. */
    private final CompletableFuture<@Nullable Void> over;

    /** Whether the end of a lock that is too short for the store has come, or was put off. */
    private final AtomicBoolean timerIsOver = new AtomicBoolean();

    JobLock(
        LockConfiguration configuration,
        Lease lease,
        long since,
        CompletableFuture<@Nullable Void> over) {
      super(configuration);
      this.lease = lease;
      this.since = since;
      this.over = over;
      running.put(lease, this);
      if (configuration.getLockAtMostFor().compareTo(SHORTEST) < 0) {
        endAfter(configuration.getLockAtMostFor());
      }
    }

    private void end() {
      over.complete(null);
    }

    @Override
    protected void doUnlock() {
      try {
        giveBack(remaining(lockConfiguration.getLockAtLeastFor()));
      } finally {
        end();
      }
    }

    private void leaveClosed() {
      try {
        giveBack(remaining(lockConfiguration.getLockAtMostFor()));
      } catch (StoreUnavailableException e) {
        LOG.log(System.Logger.Level.WARNING, lockConfiguration.getName() + " may be unlocked", e);
      } finally {
        end();
      }
    }

    private void giveBack(Duration rest) {
      try {
        if (rest.isZero()) {
          lease.release();
        } else {
          lease.releaseAfter(rest);
        }
      } catch (LeaseLostException e) {
        warn(e.loss(), rest);
      }
    }

    private Duration remaining(Duration whole) {
      Duration rest = whole.minusNanos(System.nanoTime() - since);
      return rest.isNegative() ? Duration.ZERO : rest;
    }

    private void endAfter(Duration time) {
      Executor timer =
          CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS, Runnable::run);
      timer.execute(this::timeIsUp);
    }

    private void timeIsUp() {
      if (timerIsOver.compareAndSet(false, true)) {
        giveBack(Duration.ZERO);
        end();
      }
    }

    /** The lock was over before the job, so that another instance may have run it meanwhile. */
    private void warn(LeaseLost loss, Duration rest) {
      boolean dropped = loss.reason() == LeaseLost.Reason.CLIENT_CLOSED && !rest.isZero();
      LOG.log(
          System.Logger.Level.WARNING,
          lockConfiguration.getName()
              + ": its lock was over before the job"
              + (dropped ? " and is free: close the provider before the client; " : "; ")
              + loss);
    }

    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration configuration) {
      if (remaining(lockConfiguration.getLockAtMostFor()).isZero()) {
        timeIsUp(); // the timer may be late
        return Optional.empty();
      }
      if (!lease.isValid() || !timerIsOver.compareAndSet(false, true)) {
        return Optional.empty();
      }
      try {
        long asked = System.nanoTime();
        lease.renew(lease(configuration));
        return Optional.of(new JobLock(configuration, lease, asked, over));
      } catch (LeaseLostException | IllegalStateException e) {
        return Optional.empty();
      }
    }
  }
}
