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
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.lab.history.Recorder;
import io.lockkeeper.lab.history.ResourceType;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A client of Lockkeeper's. Half of the locks are taken as leases, half by the thread. */
public final class KeeperSubject implements Subject {

  private static final int WAYS = 4;

  private final Lockkeeper keeper;
  private final FaultyCallbacks faults;
  private final AtomicLong requests = new AtomicLong();

  /**
   * Uses a client, and closes it in the end.
   *
   * @param faults what its callbacks throw
   */
  public KeeperSubject(Lockkeeper keeper, FaultyCallbacks faults) {
    this.keeper = keeper;
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
      case 0 -> lock.tryAcquire(wait).map(LeaseHolding::new);
      case 1 -> acquireAsync(lock, wait).map(LeaseHolding::new);
      default -> {
        boolean locked =
            wait.isZero() ? lock.tryLock() : lock.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS);
        yield locked ? Optional.of(LeaseHolding.ofThread(lock)) : Optional.empty();
      }
    };
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

  private static Optional<Holding> acquire(
      DistributedSemaphore semaphore, int permits, Duration wait) throws InterruptedException {
    return (wait.isZero() ? semaphore.tryAcquire(permits) : semaphore.tryAcquire(permits, wait))
        .map(LeaseHolding::new);
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
  public void close() {
    keeper.close();
  }

  /**
   * What is held.
   *
   * @param lease its lease
   * @param releasing gives it back
   */
  private record LeaseHolding(Lease lease, Runnable releasing) implements Holding {

    LeaseHolding(Lease lease) {
      this(lease, lease::release);
    }

    /** Returns what the thread holds by {@code lock()}. */
    static LeaseHolding ofThread(DistributedLock lock) {
      return new LeaseHolding(lock.heldLease(), lock::unlock);
    }

    @Override
    public long token() {
      return lease.token();
    }

    @Override
    public long remainingNanos() {
      return lease.remaining().toNanos();
    }

    @Override
    public boolean release() {
      try {
        releasing.run();
        return true;
      } catch (LeaseLostException lost) {
        return false;
      }
    }
  }
}
