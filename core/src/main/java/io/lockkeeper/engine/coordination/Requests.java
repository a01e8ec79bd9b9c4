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
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Asks for one resource in the name of one view: the way of every call to the coordinator and back.
 *
 * <p>This file is long because every way of asking is one method here, with its observers.
 */
public final class Requests {

  private static final Logger LOG = System.getLogger("io.lockkeeper");

  private final ResourceCoordinators resources;
  private final Parking parking;
  private final ResourceId resource;
  private final Waiter.Order order;
  private final long leaseNanos;
  private final int maxLocalHandoffs;
  private final long idleNanos;
  private final BiFunction<ResourceCoordinator, Hold, Lease> leases;

  /**
   * The request that observers were shown last: the next one is mostly the same. Any thread writes
   * it, and none waits to see that: whichever it sees is whole, because it is a record.
   */
  private LockObserver.@Nullable Request shown;

  /**
   * Creates it.
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
  public Requests(
      ResourceCoordinators resources,
      Parking parking,
      ResourceId resource,
      Waiter.Order order,
      long leaseNanos,
      int maxLocalHandoffs,
      long idleNanos,
      BiFunction<ResourceCoordinator, Hold, Lease> leases) {
    this.resources = resources;
    this.parking = parking;
    this.resource = resource;
    this.order = order;
    this.leaseNanos = leaseNanos;
    this.maxLocalHandoffs = maxLocalHandoffs;
    this.idleNanos = idleNanos;
    this.leases = leases;
  }

  /** Returns the coordinators of the client. */
  public ResourceCoordinators resources() {
    return resources;
  }

  /** Returns the resource's id. */
  public ResourceId resource() {
    return resource;
  }

  /** Returns how requests that wait are served. */
  public Waiter.Order order() {
    return order;
  }

  /** Returns the resource's name, for messages. */
  public String name() {
    return resource.name();
  }

  // ------------------------------------------------------------- terms

  /**
   * Says what to ask for, and whether to wait for it.
   *
   * @param throwsTimeout whether a wait in vain is an exception, and not a null
   */
  public record Asked(Waiter.Order order, Waiter.Terms terms, boolean throwsTimeout) {

    Asked(Waiter.Order order, Waiter.Terms terms) {
      this(order, terms, false);
    }

    /** Returns it with an exception for a wait in vain. */
    public Asked orThrow() {
      return new Asked(order, terms, true);
    }
  }

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
          return failed(asked, waiter, observation);
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

  /** Waits for news that is nothing to hold. */
  public void awaitInterruptibly(Asked asked) throws InterruptedException {
    Waiter waiter = blocking(asked, null);
    if (!granted(enter(waiter), waiter, Parking::awaitInterruptibly)) {
      failed(asked, waiter, null);
    }
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
      Observers.Attempts attempts = observers().begin(request(share, 0, true));
      if (attempts != null) {
        attempts.acquired(leases.apply(coordinator, hold), LockObserver.Via.REENTRY, 0);
      }
    }
  }

  private @Nullable Observation observe(Asked asked, @Nullable Thread owner) {
    if (!observers().areThere()) {
      return null;
    }
    Waiter.Terms terms = asked.terms();
    long waitNanos = asked.order() == Waiter.Order.ONCE ? 0 : waitNanos(terms);
    return observe(terms.share(), waitNanos, owner != null, terms.startNanos());
  }

  private @Nullable Observation observe(
      Share share, long waitNanos, boolean threadBound, long askedNanos) {
    if (resource.kind() == ResourceKind.BARRIER) {
      return null;
    }
    Observers.Attempts attempts = observers().begin(request(share, waitNanos, threadBound));
    return attempts == null
        ? null
        : new Observation(resources.runtime(), attempts, leases, askedNanos);
  }

  private static long waitNanos(Waiter.Terms terms) {
    long deadlineNanos = terms.deadlineNanos();
    return deadlineNanos == Instants.NEVER ? Instants.NEVER : deadlineNanos - terms.startNanos();
  }

  private Observers observers() {
    return resources.runtime().observers();
  }

  /** Returns what observers see of a request: the same object as the last time, if it is alike. */
  private LockObserver.Request request(Share share, long waitNanos, boolean threadBound) {
    LockObserver.Mode mode = mode(share);
    int permits = mode == LockObserver.Mode.PERMITS ? share.permits() : 1;
    LockObserver.Request last = shown;
    if (last != null
        && last.mode() == mode
        && last.permits() == permits
        && last.threadBound() == threadBound
        && waits(last, waitNanos)) {
      return last;
    }
    Optional<Duration> wait =
        waitNanos == Instants.NEVER ? Optional.empty() : Optional.of(Duration.ofNanos(waitNanos));
    LockObserver.Request next =
        new LockObserver.Request(resource.kind(), name(), mode, permits, wait, threadBound);
    shown = next;
    return next;
  }

  private static boolean waits(LockObserver.Request request, long nanos) {
    Optional<Duration> wait = request.maxWait();
    return nanos == Instants.NEVER
        ? wait.isEmpty()
        : wait.isPresent() && wait.get().toNanos() == nanos;
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

  /** Returns null for a request that ran out of time, or throws, and throws for one that failed. */
  private @Nullable Hold failed(Asked asked, Waiter waiter, @Nullable Observation observation) {
    if (waiter.failure() != null || asked.throwsTimeout()) {
      throw Failures.of(resource, waiter, resources.runtime()::timedOut);
    }
    if (waiter.lastFailure() != null) {
      LOG.log(
          Level.INFO,
          "'" + name() + "': a wait in vain is over, and the store does not answer",
          waiter.lastFailure());
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
