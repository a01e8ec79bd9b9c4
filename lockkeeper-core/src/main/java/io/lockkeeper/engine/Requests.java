package io.lockkeeper.engine;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.spi.Share;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * How one object asks for its resource: the way of every view from a call to the gate and back.
 *
 * @param resource the resource's id
 * @param name its name, for messages
 * @param order how requests that wait are served
 * @param leaseNanos how long a lease is that is renewed
 * @param localPasses how often a lock may pass locally while others wait
 * @param idleNanos how long a lock may be kept after its release while nobody waits
 */
record Requests(
    Engine engine,
    String resource,
    String name,
    Waiter.Order order,
    long leaseNanos,
    int localPasses,
    long idleNanos) {

  // ------------------------------------------------------------- terms

  /** What to ask for, and whether to wait for it. */
  record Asked(Waiter.Order order, Waiter.Terms terms) {}

  /** Waits as long as it takes, and has the lease renewed. */
  Asked patient(Share share) {
    return new Asked(order, renewed(share, Margins.NEVER));
  }

  /** Asks once, and has the lease renewed. */
  Asked once(Share share) {
    return new Asked(Waiter.Order.ONCE, renewed(share, Margins.NEVER));
  }

  /** Waits for so long, and has the lease renewed. */
  Asked timed(Share share, long waitNanos) {
    return new Asked(orderFor(waitNanos), renewed(share, deadline(waitNanos)));
  }

  /** Waits for so long, and has the lease end by itself. */
  Asked fixed(Share share, Duration lease, long waitNanos) {
    return new Asked(orderFor(waitNanos), fixedTerms(share, lease, deadline(waitNanos)));
  }

  /** Waits and holds as options say. */
  Asked as(AcquireOptions options, Share share) {
    long waitNanos = options.maxWait().map(Requests::nanos).orElse(Margins.NEVER);
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
        leaseNanos, false, localPasses, engine.now(), deadlineNanos, share, idleNanos);
  }

  private Waiter.Terms fixedTerms(Share share, Duration lease, long deadlineNanos) {
    long nanos =
        AcquireOptions.defaults().withFixedLease(lease).fixedLease().orElse(lease).toNanos();
    return new Waiter.Terms(nanos, true, localPasses, engine.now(), deadlineNanos, share, 0);
  }

  /** Returns when to give up: never where the store is asked once, because its answer ends that. */
  private long deadline(long waitNanos) {
    long now = engine.now();
    return waitNanos <= 0 || waitNanos >= Margins.NEVER - now ? Margins.NEVER : now + waitNanos;
  }

  static long nanos(Duration wait) {
    try {
      return wait.toNanos();
    } catch (ArithmeticException tooLong) {
      return wait.isNegative() ? 0 : Margins.NEVER;
    }
  }

  // ------------------------------------------------------------- asking

  /** Waits through interrupts; returns null for a request that ran out of time. */
  @Nullable Hold acquire(Asked asked, @Nullable Thread owner) {
    while (true) {
      Waiter waiter = blocking(asked, owner);
      Gate gate = enter(waiter);
      if (!Parking.await(engine, gate, waiter)) {
        return failed(waiter);
      }
      if (usable(gate, waiter)) {
        return waiter.hold;
      }
    }
  }

  /** Waits until interrupted; returns null for a request that ran out of time. */
  @Nullable Hold acquireInterruptibly(Asked asked, @Nullable Thread owner)
      throws InterruptedException {
    while (true) {
      Waiter waiter = blocking(asked, owner);
      Gate gate = enter(waiter);
      if (!Parking.awaitInterruptibly(engine, gate, waiter)) {
        return failed(waiter);
      }
      if (usable(gate, waiter)) {
        return waiter.hold;
      }
    }
  }

  /** Waits for news that is nothing to hold; returns false if it ran out of time. */
  boolean awaitInterruptibly(Asked asked) throws InterruptedException {
    Waiter waiter = blocking(asked, null);
    if (Parking.awaitInterruptibly(engine, enter(waiter), waiter)) {
      return true;
    }
    failed(waiter);
    return false;
  }

  /** Has the promise kept or broken when the request is settled. */
  <T extends @Nullable Object> CompletionStage<T> acquireAsync(Asked asked, Promise<T> promise) {
    Waiter waiter = new Waiter(asked.order(), asked.terms(), null, null, promise);
    Gate gate;
    try {
      gate = enter(waiter);
    } catch (LockkeeperClosedException closed) {
      return CompletableFuture.failedFuture(closed);
    }
    CompletionStage<T> stage = promise.future();
    stage.exceptionally(
        failure -> {
          gate.leave(waiter); // cancelled by the caller, or over anyway
          return null;
        });
    return promise.future();
  }

  private static Waiter blocking(Asked asked, @Nullable Thread owner) {
    return new Waiter(asked.order(), asked.terms(), owner, Thread.currentThread(), null);
  }

  private Gate enter(Waiter waiter) {
    Gate gate = engine.gate(resource);
    while (!gate.enter(waiter)) {
      gate = engine.gateAfter(gate);
    }
    return gate;
  }

  /** Returns null for a request that ran out of time, and throws for one that failed. */
  private @Nullable Hold failed(Waiter waiter) {
    if (waiter.failure != null) {
      throw Failures.of(name, waiter);
    }
    return null;
  }

  /** Returns false if the grant was over before this thread came to run. */
  private boolean usable(Gate gate, Waiter waiter) {
    Hold hold = Objects.requireNonNull(waiter.hold);
    if (hold.isValid(engine.now()) || gate.stillHeld(hold)) {
      return true;
    }
    if (waiter.owner != null) {
      engine.losses().forget(waiter.owner, resource);
    }
    engine.checkOpen(name);
    return false;
  }

  static void throwIfInterrupted() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }
}
