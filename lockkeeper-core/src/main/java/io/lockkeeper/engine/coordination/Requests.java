package io.lockkeeper.engine.coordination;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.Lease;
import io.lockkeeper.LockObserver;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.engine.runtime.Observers;
import io.lockkeeper.engine.state.Failures;
import io.lockkeeper.engine.state.Hold;
import io.lockkeeper.engine.state.Waiter;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
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
 * @param leases makes what observers see of a hold
 */
public record Requests(
    ResourceCoordinators resources,
    Parking parking,
    ResourceId resource,
    Waiter.Order order,
    long leaseNanos,
    int maxLocalHandoffs,
    long idleNanos,
    BiFunction<ResourceCoordinator, Hold, Lease> leases) {

  private static final Optional<Duration> NOT_AT_ALL = Optional.of(Duration.ZERO);

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
    return new Asked(Waiter.Order.ONCE, renewed(share, 0));
  }

  /** Waits for so long, and has the lease renewed. */
  public Asked timed(Share share, long waitNanos) {
    return new Asked(orderFor(waitNanos), renewed(share, waitNanos));
  }

  /** Waits for so long, and has the lease end by itself. */
  public Asked fixed(Share share, Duration lease, long waitNanos) {
    return new Asked(orderFor(waitNanos), fixedTerms(share, lease, waitNanos));
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

  private Waiter.Terms renewed(Share share, long waitNanos) {
    long now = now();
    return new Waiter.Terms(
        leaseNanos, false, maxLocalHandoffs, now, deadline(now, waitNanos), share, idleNanos);
  }

  private Waiter.Terms fixedTerms(Share share, Duration lease, long waitNanos) {
    long now = now();
    long nanos =
        AcquireOptions.defaults().withFixedLease(lease).fixedLease().orElse(lease).toNanos();
    return new Waiter.Terms(nanos, true, maxLocalHandoffs, now, deadline(now, waitNanos), share, 0);
  }

  /** Returns when to give up: never where the store is asked once, because its answer ends that. */
  private static long deadline(long now, long waitNanos) {
    return waitNanos <= 0 ? Instants.NEVER : Instants.after(now, waitNanos);
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
    return acquire(asked, owner, Parking::await);
  }

  /** Waits until interrupted; returns null for a request that ran out of time. */
  public @Nullable Hold acquireInterruptibly(Asked asked, @Nullable Thread owner)
      throws InterruptedException {
    return acquire(asked, owner, Parking::awaitInterruptibly);
  }

  /** Blocks a thread until its request is over, and returns whether it was granted. */
  private interface Wait<X extends Exception> {
    boolean in(Parking parking, ResourceCoordinator coordinator, Waiter waiter) throws X;
  }

  private <X extends Exception> @Nullable Hold acquire(
      Asked asked, @Nullable Thread owner, Wait<X> wait) throws X {
    Observation observation = observe(asked, owner);
    try {
      while (true) {
        Waiter waiter = blocking(asked, owner);
        ResourceCoordinator coordinator = enter(waiter);
        if (!granted(coordinator, waiter, wait)) {
          return failed(waiter, observation);
        }
        Hold hold = Objects.requireNonNull(waiter.hold());
        long now = now();
        if (usable(coordinator, hold, now)) {
          if (observation != null) {
            observation.acquired(coordinator, hold, now);
          }
          return hold;
        }
      }
    } catch (Throwable failure) {
      if (observation != null) {
        observation.ended(failure);
      }
      throw failure;
    }
  }

  /** Waits, and returns whether the request was granted. One that fails leaves nothing behind. */
  private <X extends Exception> boolean granted(
      ResourceCoordinator coordinator, Waiter waiter, Wait<X> wait) throws X {
    try {
      return wait.in(parking, coordinator, waiter);
    } catch (Error failure) { // of memory, for one: this thread goes, and must not be waited for
      parking.giveUp(coordinator, waiter);
      throw failure;
    }
  }

  /** Waits for news that is nothing to hold; returns false if it ran out of time. */
  public boolean awaitInterruptibly(Asked asked) throws InterruptedException {
    Waiter waiter = blocking(asked, null);
    if (granted(enter(waiter), waiter, Parking::awaitInterruptibly)) {
      return true;
    }
    failed(waiter, null);
    return false;
  }

  /** Keeps or breaks the promise when the request is over. */
  public <T extends @Nullable Object> CompletionStage<T> acquireAsync(
      Asked asked, Promise<T> promise) {
    observe(asked, promise);
    ResourceCoordinator coordinator = resources.of(resource);
    Waiter waiter = asynchronous(asked, promise, coordinator);
    try {
      while (!enter(coordinator, waiter)) {
        coordinator = resources.after(coordinator);
        waiter = asynchronous(asked, promise, coordinator);
      }
    } catch (LockkeeperClosedException closed) {
      promise.fail(closed);
      return promise.future();
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

  // ------------------------------------------------------------- observers

  /** Shows a request to the observers from here on, if there are any and they do not see it yet. */
  public void observe(Asked asked, Promise<?> promise) {
    Observation observation = promise.isObserved() ? null : observe(asked, (Thread) null);
    if (observation != null) {
      promise.observe(observation);
    }
  }

  /** Shows the observers, if there are any, that a thread enters again what it holds. */
  public void reentered(ResourceCoordinator coordinator, Hold hold, Share share) {
    if (observers().areThere()) {
      Observers.Attempts attempts = observers().begin(request(share, NOT_AT_ALL, true));
      if (attempts != null) {
        Lease lease = leases.apply(coordinator, hold);
        attempts.tell(attempt -> attempt.acquired(lease, LockObserver.Via.REENTRY, 0));
      }
    }
  }

  private @Nullable Observation observe(Asked asked, @Nullable Thread owner) {
    if (!observers().areThere() || resource.kind() == ResourceKind.BARRIER) {
      return null;
    }
    long askedNanos = asked.terms().startNanos();
    Observers.Attempts attempts =
        observers().begin(request(asked.terms().share(), maxWait(asked), owner != null));
    return attempts == null
        ? null
        : new Observation(resources.runtime(), attempts, leases, askedNanos);
  }

  private static Optional<Duration> maxWait(Asked asked) {
    if (asked.order() == Waiter.Order.ONCE) {
      return NOT_AT_ALL;
    }
    long deadlineNanos = asked.terms().deadlineNanos();
    return deadlineNanos == Instants.NEVER
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(deadlineNanos - asked.terms().startNanos()));
  }

  private Observers observers() {
    return resources.runtime().observers();
  }

  private LockObserver.Request request(Share share, Optional<Duration> wait, boolean threadBound) {
    boolean isSemaphore = resource.kind() == ResourceKind.SEMAPHORE;
    return new LockObserver.Request(
        resource.kind(), name(), mode(share), isSemaphore ? share.permits() : 1, wait, threadBound);
  }

  private LockObserver.Mode mode(Share share) {
    return switch (resource.kind()) {
      case READ_WRITE_LOCK ->
          share.permits() == 1 ? LockObserver.Mode.READ : LockObserver.Mode.WRITE;
      case SEMAPHORE -> LockObserver.Mode.PERMITS;
      default -> order == Waiter.Order.STRICT ? LockObserver.Mode.FAIR : LockObserver.Mode.LOCK;
    };
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
    while (!enter(coordinator, waiter)) {
      coordinator = resources.after(coordinator);
    }
    return coordinator;
  }

  private boolean enter(ResourceCoordinator coordinator, Waiter waiter) {
    try {
      return coordinator.enter(waiter);
    } catch (Error failure) { // it may be in already
      parking.giveUp(coordinator, waiter);
      throw failure;
    }
  }

  /** Returns null for a request that ran out of time, and throws for one that failed. */
  private @Nullable Hold failed(Waiter waiter, @Nullable Observation observation) {
    if (waiter.failure() != null) {
      throw Failures.of(name(), waiter);
    }
    if (observation != null) {
      observation.ended(null);
    }
    return null;
  }

  /** Returns false if the grant was over before this thread came to run. */
  private boolean usable(ResourceCoordinator coordinator, Hold hold, long now) {
    if (hold.isValid(now) || coordinator.stillHeld(hold)) {
      return true;
    }
    Thread owner = hold.owner();
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
