package io.lockkeeper.engine.coordination;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.engine.state.Failures;
import io.lockkeeper.engine.state.Hold;
import io.lockkeeper.engine.state.Waiter;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Asks for one resource in the name of one view: the way of every call to the coordinator and back.
 *
 * @param resources the coordinators of the client
 * @param parking how threads wait
 * @param resource the resource's id
 * @param order how requests that wait are served
 * @param leaseNanos how long a lease is that is renewed
 * @param maxLocalHandoffs how often a lock may pass locally while others wait
 * @param idleNanos how long a lock may be kept after its release while nobody waits
 */
public record Requests(
    ResourceCoordinators resources,
    Parking parking,
    ResourceId resource,
    Waiter.Order order,
    long leaseNanos,
    int maxLocalHandoffs,
    long idleNanos) {

  /** Returns the resource's name, for messages. */
  public String name() {
    return resource.name();
  }

  // ------------------------------------------------------------- terms

  /** Says what to ask for, and whether to wait for it. */
  public record Asked(Waiter.Order order, Waiter.Terms terms) {}

  /** Waits as long as it takes, and has the lease renewed. */
  public Asked patient(Share share) {
    return new Asked(order, renewed(share, Instants.NEVER));
  }

  /** Asks once, and has the lease renewed. */
  public Asked once(Share share) {
    return new Asked(Waiter.Order.ONCE, renewed(share, Instants.NEVER));
  }

  /** Waits for so long, and has the lease renewed. */
  public Asked timed(Share share, long waitNanos) {
    return new Asked(orderFor(waitNanos), renewed(share, deadline(waitNanos)));
  }

  /** Waits for so long, and has the lease end by itself. */
  public Asked fixed(Share share, Duration lease, long waitNanos) {
    return new Asked(orderFor(waitNanos), fixedTerms(share, lease, deadline(waitNanos)));
  }

  /** Waits and holds as options say. */
  public Asked as(AcquireOptions options, Share share) {
    long waitNanos = options.maxWait().map(Requests::nanos).orElse(Instants.NEVER);
    return options
        .fixedLease()
        .map(lease -> fixed(share, lease, waitNanos))
        .orElseGet(() -> timed(share, waitNanos));
  }

  private Waiter.Order orderFor(long waitNanos) {
    return waitNanos <= 0 ? Waiter.Order.ONCE : order;
  }

  private Waiter.Terms renewed(Share share, long deadlineNanos) {
    return new Waiter.Terms(
        leaseNanos, false, maxLocalHandoffs, now(), deadlineNanos, share, idleNanos);
  }

  private Waiter.Terms fixedTerms(Share share, Duration lease, long deadlineNanos) {
    long nanos =
        AcquireOptions.defaults().withFixedLease(lease).fixedLease().orElse(lease).toNanos();
    return new Waiter.Terms(nanos, true, maxLocalHandoffs, now(), deadlineNanos, share, 0);
  }

  /** Returns when to give up: never where the store is asked once, because its answer ends that. */
  private long deadline(long waitNanos) {
    return waitNanos <= 0 ? Instants.NEVER : Instants.after(now(), waitNanos);
  }

  private long now() {
    return resources.runtime().now();
  }

  /** Returns a time to wait in nanoseconds: 0 and less for none. */
  public static long nanos(Duration wait) {
    try {
      return wait.toNanos();
    } catch (ArithmeticException tooLong) {
      return wait.isNegative() ? 0 : Instants.NEVER;
    }
  }

  // ------------------------------------------------------------- asking

  /** Waits through interrupts; returns null for a request that ran out of time. */
  public @Nullable Hold acquire(Asked asked, @Nullable Thread owner) {
    while (true) {
      Waiter waiter = blocking(asked, owner);
      ResourceCoordinator coordinator = enter(waiter);
      if (!parking.await(coordinator, waiter)) {
        return failed(waiter);
      }
      if (usable(coordinator, waiter)) {
        return waiter.hold();
      }
    }
  }

  /** Waits until interrupted; returns null for a request that ran out of time. */
  public @Nullable Hold acquireInterruptibly(Asked asked, @Nullable Thread owner)
      throws InterruptedException {
    while (true) {
      Waiter waiter = blocking(asked, owner);
      ResourceCoordinator coordinator = enter(waiter);
      if (!parking.awaitInterruptibly(coordinator, waiter)) {
        return failed(waiter);
      }
      if (usable(coordinator, waiter)) {
        return waiter.hold();
      }
    }
  }

  /** Waits for news that is nothing to hold; returns false if it ran out of time. */
  public boolean awaitInterruptibly(Asked asked) throws InterruptedException {
    Waiter waiter = blocking(asked, null);
    if (parking.awaitInterruptibly(enter(waiter), waiter)) {
      return true;
    }
    failed(waiter);
    return false;
  }

  /** Keeps or breaks the promise when the request is over. */
  public <T extends @Nullable Object> CompletionStage<T> acquireAsync(
      Asked asked, Promise<T> promise) {
    ResourceCoordinator coordinator = resources.of(resource);
    Waiter waiter = asynchronous(asked, promise, coordinator);
    try {
      while (!coordinator.enter(waiter)) {
        coordinator = resources.after(coordinator);
        waiter = asynchronous(asked, promise, coordinator);
      }
    } catch (LockkeeperClosedException closed) {
      return CompletableFuture.failedFuture(closed);
    }
    ResourceCoordinator entered = coordinator;
    Waiter waiting = waiter;
    CompletionStage<T> stage = promise.future();
    stage.exceptionally(
        failure -> {
          entered.leave(waiting); // cancelled by the caller, or over anyway
          return null;
        });
    return promise.future();
  }

  private static Waiter asynchronous(
      Asked asked, Promise<?> promise, ResourceCoordinator coordinator) {
    return new Waiter(asked.order(), asked.terms(), null, null, promise.at(coordinator));
  }

  private static Waiter blocking(Asked asked, @Nullable Thread owner) {
    return new Waiter(asked.order(), asked.terms(), owner, Thread.currentThread(), null);
  }

  private ResourceCoordinator enter(Waiter waiter) {
    ResourceCoordinator coordinator = resources.of(resource);
    while (!coordinator.enter(waiter)) {
      coordinator = resources.after(coordinator);
    }
    return coordinator;
  }

  /** Returns null for a request that ran out of time, and throws for one that failed. */
  private @Nullable Hold failed(Waiter waiter) {
    if (waiter.failure() != null) {
      throw Failures.of(name(), waiter);
    }
    return null;
  }

  /** Returns false if the grant was over before this thread came to run. */
  private boolean usable(ResourceCoordinator coordinator, Waiter waiter) {
    Hold hold = Objects.requireNonNull(waiter.hold());
    if (hold.isValid(now()) || coordinator.stillHeld(hold)) {
      return true;
    }
    Thread owner = waiter.owner();
    if (owner != null) {
      resources.lostHolds().forget(owner, resource);
    }
    resources.runtime().checkOpen(name());
    return false;
  }

  public static void throwIfInterrupted() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }
}
