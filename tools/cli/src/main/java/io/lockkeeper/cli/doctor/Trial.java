package io.lockkeeper.cli.doctor;

import io.lockkeeper.DistributedCounter;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.HolderReport;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.console.Secrets;
import io.lockkeeper.spi.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Everything tried once, under a name that nobody else has: what an account may not do, and what a
 * store does not do, comes out whatever the kind of store. It leaves nothing behind.
 */
final class Trial {

  private static final Duration WAIT = Duration.ofSeconds(10);
  private static final long PAUSE_NANOS = 10_000_000;
  private static final int LOOKS = 21;
  private static final Duration SLOW = Duration.ofMillis(100);
  private static final String RIGHTS =
      "give the account the rights that docs/STORAGE.md lists for this kind of store";

  private final Lockkeeper keeper;
  private final Lockkeeper other;
  private final String name = "doctor-" + UUID.randomUUID();
  private final List<Finding> findings = new ArrayList<>();

  /** A trial; answers what it has found. */
  private interface Step {
    Finding run(String subject) throws InterruptedException;
  }

  /** Makes one, with two clients of the store. */
  Trial(Lockkeeper keeper, Lockkeeper other) {
    this.keeper = keeper;
    this.other = other;
  }

  /** Tries everything. */
  List<Finding> run() throws InterruptedException {
    attempt("locks", this::lock);
    attempt("hand-over", this::handOver);
    attempt("sharing", this::share);
    attempt("counters", this::count);
    attempt("inspection", this::inspect);
    attempt("listing", this::list);
    attempt("latency", this::latency);
    return findings;
  }

  private void attempt(String subject, Step step) throws InterruptedException {
    try {
      findings.add(step.run(subject));
    } catch (LockkeeperException | UnsupportedOperationException e) {
      boolean isDenied =
          e instanceof StoreRefusedException refused && refused.problem() == StoreProblem.DENIED;
      String advice = isDenied ? RIGHTS : "see what the store says";
      findings.add(Finding.fail(subject, Secrets.messageOf(e), advice));
    }
  }

  private Finding lock(String subject) throws InterruptedException {
    long first;
    try (Lease lease = keeper.lock(name).acquire()) {
      first = lease.token();
      lease.renew(Duration.ofSeconds(30));
      Optional<Lease> second = other.lock(name).tryAcquire(Duration.ZERO);
      if (second.isPresent()) {
        second.get().release();
        return Finding.fail(subject, "two clients got the same lock", "do not use this store");
      }
    }
    try (Lease lease = other.lock(name).acquire()) {
      return lease.token() > first
          ? Finding.ok(subject, "granted once, renewed; tokens grow")
          : Finding.fail(subject, "a later token was not larger", "do not rely on tokens here");
    }
  }

  private Finding handOver(String subject) throws InterruptedException {
    Lease held = keeper.lock(name).acquire();
    CompletableFuture<Lease> next = other.lock(name).acquireAsync().toCompletableFuture();
    boolean isQueued = awaitWaiter();
    held.release();
    try {
      next.get(WAIT.toMillis(), TimeUnit.MILLISECONDS).release();
      return isQueued
          ? Finding.ok(subject, "the waiter gets the lock when it is released")
          : Finding.warn(subject, "the waiter was not seen in the queue", "try it again");
    } catch (TimeoutException e) {
      next.cancel(false);
      return Finding.fail(subject, "who waited did not get the lock", "see what the store says");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof LockkeeperException failure) {
        throw failure;
      }
      throw new IllegalStateException(e);
    }
  }

  private boolean awaitWaiter() {
    long end = System.nanoTime() + WAIT.toNanos();
    while (System.nanoTime() - end < 0) {
      if (!keeper.admin().inspect(ResourceKind.LOCK, name).waiters().isEmpty()) {
        return true;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return false;
  }

  private Finding share(String subject) throws InterruptedException {
    DistributedLock reading = keeper.readWriteLock(name).readLock();
    try (Lease one = reading.acquire();
        Lease two = other.readWriteLock(name).readLock().acquire();
        Lease permits = keeper.semaphore(name, 3).acquire(2)) {
      return one.isValid() && two.isValid() && permits.isValid()
          ? Finding.ok(subject, "two readers, and permits of a semaphore")
          : Finding.warn(subject, "a lease ended within the trial", "see latency");
    }
  }

  private Finding count(String subject) {
    DistributedCounter counter = keeper.counter(name);
    try {
      long first = counter.incrementAndGet();
      long second = other.counter(name).incrementAndGet();
      return first == 1 && second == 2
          ? Finding.ok(subject, "exact")
          : Finding.fail(subject, "1 and 1 are " + second, "do not use counters here");
    } finally {
      counter.delete();
    }
  }

  private Finding inspect(String subject) throws InterruptedException {
    try (Lease lease = keeper.lock(name).acquire()) {
      List<HolderReport> holders = other.admin().inspect(ResourceKind.LOCK, name).holders();
      boolean isSeen =
          holders.size() == 1
              && holders.get(0).token() == lease.token()
              && keeper.clientName().equals(holders.get(0).client().name());
      return isSeen
          ? Finding.ok(subject, "holders are shown with their names")
          : Finding.warn(
              subject, "a holder is not shown with its name", "give the account more rights");
    }
  }

  private Finding list(String subject) throws InterruptedException {
    try (Lease lease = keeper.lock(name).acquire()) {
      List<ResourceReport> reports = other.admin().inspect();
      boolean isListed = reports.stream().anyMatch(report -> report.name().equals(lease.name()));
      return isListed
          ? Finding.ok(subject, "all that is held or waited for can be listed")
          : Finding.warn(subject, "a lock that is held is not listed", "try it again");
    } catch (StoreRefusedException e) {
      return Finding.warn(
          subject, Secrets.messageOf(e), "'list' needs more rights; all else works without");
    }
  }

  private Finding latency(String subject) {
    long[] nanos = new long[LOOKS];
    for (int i = 0; i < LOOKS; i++) {
      long start = System.nanoTime();
      keeper.admin().inspect(ResourceKind.LOCK, name);
      nanos[i] = System.nanoTime() - start;
    }
    Arrays.sort(nanos);
    String found =
        "%.1f ms for an answer, %.1f ms at most (of %d)"
            .formatted(nanos[LOOKS / 2] / 1e6, nanos[LOOKS - 1] / 1e6, LOOKS);
    return nanos[LOOKS / 2] < SLOW.toNanos()
        ? Finding.ok(subject, found)
        : Finding.warn(subject, found, "use leases of many times that, or a store that is nearer");
  }
}
