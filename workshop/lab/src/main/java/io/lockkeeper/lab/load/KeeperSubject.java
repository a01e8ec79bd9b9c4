package io.lockkeeper.lab.load;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DistributedCountDownLatch;
import io.lockkeeper.DistributedCounter;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.LockEvent;
import io.lockkeeper.LockListener;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.PermitLease;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.lab.history.Recorder;
import io.lockkeeper.lab.history.ResourceType;
import io.lockkeeper.lab.load.Subject.CellRefusedException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A client of Lockkeeper's. Half of the locks are taken as leases, half by the thread. */
public final class KeeperSubject implements Subject {

  private static final int WAYS = 4;

  /** One use of a semaphore in how many another client takes part in. */
  private static final int PASSED_ON = 8;

  /** Shorter than that client makes it. */
  private static final Duration FIXED_LEASE = Duration.ofMillis(300);

  private final Lockkeeper keeper;
  private final Supplier<Lockkeeper> others;
  private final FaultyCallbacks faults;
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong permitRequests = new AtomicLong();
  private @Nullable Lockkeeper second;

  /**
   * Uses a client, and closes it in the end.
   *
   * @param others connects another one, which it closes too
   * @param faults what its callbacks throw
   */
  public KeeperSubject(Lockkeeper keeper, Supplier<Lockkeeper> others, FaultyCallbacks faults) {
    this.keeper = keeper;
    this.others = others;
    this.faults = faults;
  }

  /** Returns what takes down the arrivals that the store tells; to be given to the builder. */
  public static LockListener arrivals(String process, Recorder recorder) {
    return event -> {
      if (event instanceof LockEvent.Acquired acquired
          && acquired.arrival().isPresent()
          && acquired.name().startsWith("fair/")) {
        recorder.record(
            Event.of(System.nanoTime(), process, EventKind.ARRIVAL, acquired.name(), 0)
                .withLease(acquired.token(), 0)
                .with(acquired.arrival().getAsLong(), ""));
      }
    };
  }

  @Override
  public Optional<Holding> acquire(
      String resource, String mode, int permits, int limit, Duration wait)
      throws InterruptedException {
    return switch (ResourceType.of(resource)) {
      case LOCK -> acquire(keeper.lock(resource), wait);
      case FAIR -> acquire(keeper.fairLock(resource), wait);
      case RW ->
          acquire(
              mode.equals("read")
                  ? keeper.readWriteLock(resource).readLock()
                  : keeper.readWriteLock(resource).writeLock(),
              wait);
      case SEMAPHORE -> acquire(keeper.semaphore(resource, limit), permits, wait);
      case COUNTER, LATCH -> throw new IllegalArgumentException(resource);
    };
  }

  private Optional<Holding> acquire(DistributedLock lock, Duration wait)
      throws InterruptedException {
    return switch ((int) (requests.incrementAndGet() % WAYS)) {
      case 0 -> lock.tryAcquire(wait).map(KeeperSubject::holding);
      case 1 -> acquireAsync(lock, wait).map(KeeperSubject::holding);
      default -> {
        boolean locked =
            wait.isZero() ? lock.tryLock() : lock.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS);
        yield locked
            ? Optional.of(holding(lock.heldLease(), lock::unlock, Optional::empty))
            : Optional.empty();
      }
    };
  }

  private static Holding holding(Lease lease) {
    return holding(lease, lease::release, Optional::empty);
  }

  private static Holding holding(
      Lease lease, Runnable releasing, Supplier<Optional<Stranger>> strangers) {
    return new Holding(
        lease::token,
        () -> lease.remaining().toNanos(),
        () -> {
          try {
            releasing.run();
            return true;
          } catch (LeaseLostException lost) {
            return false;
          }
        },
        strangers);
  }

  private Optional<Lease> acquireAsync(DistributedLock lock, Duration wait)
      throws InterruptedException {
    CompletableFuture<Lease> future =
        lock.acquireAsync(AcquireOptions.defaults().withWait(wait)).toCompletableFuture();
    try {
      Lease lease = future.get();
      lease.onLost(loss -> faults.fail());
      return Optional.of(lease);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AcquireTimeoutException) {
        return Optional.empty();
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      future.cancel(false);
      throw e;
    }
  }

  private Optional<Holding> acquire(DistributedSemaphore semaphore, int permits, Duration wait)
      throws InterruptedException {
    long number = permitRequests.incrementAndGet();
    if (number % PASSED_ON != 0) {
      return (wait.isZero() ? semaphore.tryAcquire(permits) : semaphore.tryAcquire(permits, wait))
          .map(KeeperSubject::holding);
    }
    AcquireOptions options = AcquireOptions.defaults().withWait(wait);
    boolean isFixed = number / PASSED_ON % 2 == 0;
    boolean isFresh = number / PASSED_ON % 4 == 1;
    try {
      PermitLease lease =
          semaphore.acquire(permits, isFixed ? options.withFixedLease(FIXED_LEASE) : options);
      return Optional.of(
          holding(lease, lease::release, () -> Optional.of(stranger(lease, isFixed, isFresh))));
    } catch (AcquireTimeoutException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns another client with the id of a lease.
   *
   * @param isFresh whether one that has done nothing before
   */
  private Stranger stranger(PermitLease lease, boolean isFixed, boolean isFresh) {
    Lockkeeper other = isFresh ? others.get() : second();
    DistributedSemaphore semaphore = other.semaphore(lease.name(), 1);
    return new Stranger(semaphore, lease.id(), isFixed, isFresh ? other::close : () -> {});
  }

  private synchronized Lockkeeper second() {
    if (second == null) {
      second = others.get();
    }
    return second;
  }

  @Override
  public void resize(String resource, int permits) {
    keeper.semaphore(resource, permits).setPermits(permits);
  }

  @Override
  public long operate(String resource, String operation, long argument)
      throws InterruptedException {
    try {
      return ResourceType.of(resource) == ResourceType.COUNTER
          ? onCounter(keeper.counter(resource), operation, argument)
          : onLatch(keeper.countDownLatch(resource), operation, argument);
    } catch (StoreRefusedException e) {
      throw new CellRefusedException(e);
    }
  }

  private static long onCounter(DistributedCounter counter, String operation, long argument) {
    return switch (operation) {
      case "get" -> counter.get();
      case "add" -> counter.addAndGet(argument);
      case "raise" -> counter.maxAndGet(argument);
      default -> throw new IllegalArgumentException(operation);
    };
  }

  private static long onLatch(DistributedCountDownLatch latch, String operation, long argument)
      throws InterruptedException {
    return switch (operation) {
      case "set" -> latch.trySetCount(argument) ? 1 : 0;
      case "down" -> countDown(latch);
      case "get" -> latch.getCount().orElse(-1);
      case "await" -> awaitOpen(latch);
      default -> throw new IllegalArgumentException(operation);
    };
  }

  private static long countDown(DistributedCountDownLatch latch) {
    try {
      latch.countDown();
      return 1;
    } catch (IllegalStateException notSet) {
      return 0;
    }
  }

  private static long awaitOpen(DistributedCountDownLatch latch) throws InterruptedException {
    if (latch.await(1, TimeUnit.SECONDS)) {
      return 1;
    }
    throw new CellRefusedException(new IllegalStateException("did not open"));
  }

  @Override
  public synchronized void close() {
    keeper.close();
    if (second != null) {
      second.close();
    }
  }
}
