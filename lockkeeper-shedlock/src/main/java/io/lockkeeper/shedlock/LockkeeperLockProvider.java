package io.lockkeeper.shedlock;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

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
 * <p><b>Limits.</b> A {@code lockAtMostFor} of more than 24 hours is refused; a job of that length
 * needs {@code KeepAliveLockProvider}. One below 50 milliseconds is ended by this client in time,
 * and if its process dies, by the store after 50 milliseconds.
 *
 * <p>Thread-safe.
 */
public final class LockkeeperLockProvider implements ExtensibleLockProvider {

  private static final Duration SHORTEST = Duration.ofMillis(50);

  private static final System.Logger LOG = System.getLogger(LockkeeperLockProvider.class.getName());

  private final Lockkeeper keeper;
  private final String prefix;

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
    this.keeper = Objects.requireNonNull(keeper, "keeper");
    this.prefix = Objects.requireNonNull(prefix, "prefix");
  }

  /**
   * Takes the lock if it is free. Does not wait.
   *
   * @throws IllegalArgumentException if {@code lockAtMostFor} is longer than 24 hours
   * @throws io.lockkeeper.StoreUnavailableException if the store does not answer
   */
  @Override
  public Optional<SimpleLock> lock(LockConfiguration configuration) {
    long asked = System.nanoTime();
    AcquireOptions options =
        AcquireOptions.defaults().withWait(Duration.ZERO).withFixedLease(lease(configuration));
    try {
      Lease lease = keeper.lock(prefix + configuration.getName()).acquire(options);
      return Optional.of(new JobLock(configuration, lease, asked));
    } catch (AcquireTimeoutException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static Duration lease(LockConfiguration configuration) {
    Duration most = configuration.getLockAtMostFor();
    return most.compareTo(SHORTEST) < 0 ? SHORTEST : most;
  }

  /** One run of a job. */
  private static final class JobLock extends AbstractSimpleLock {

    private final Lease lease;
    private final long since;

    JobLock(LockConfiguration configuration, Lease lease, long since) {
      super(configuration);
      this.lease = lease;
      this.since = since;
      if (configuration.getLockAtMostFor().compareTo(SHORTEST) < 0) {
        endAfter(configuration.getLockAtMostFor());
      }
    }

    @Override
    protected void doUnlock() {
      Duration rest = remaining(lockConfiguration.getLockAtLeastFor());
      if (rest.isZero()) {
        release();
        return;
      }
      try {
        lease.releaseAfter(rest);
      } catch (LeaseLostException e) {
        over(e);
      }
    }

    private Duration remaining(Duration whole) {
      Duration rest = whole.minusNanos(System.nanoTime() - since);
      return rest.isNegative() ? Duration.ZERO : rest;
    }

    private void endAfter(Duration time) {
      Executor timer =
          CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS, Runnable::run);
      timer.execute(this::release);
    }

    private void release() {
      try {
        lease.release();
      } catch (LeaseLostException e) {
        over(e);
      }
    }

    private static void over(LeaseLostException loss) {
      LOG.log(System.Logger.Level.DEBUG, "was over before its job", loss);
    }

    @Override
    protected Optional<SimpleLock> doExtend(LockConfiguration configuration) {
      if (!lease.isValid()) {
        return Optional.empty();
      }
      try {
        long asked = System.nanoTime();
        lease.renew(LockkeeperLockProvider.lease(configuration));
        return Optional.of(new JobLock(configuration, lease, asked));
      } catch (LeaseLostException | IllegalStateException e) {
        return Optional.empty();
      }
    }
  }
}
