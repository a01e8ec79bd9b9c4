package io.lockkeeper.engine;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.compose.Host;
import io.lockkeeper.compose.Placed;
import io.lockkeeper.spi.Forced;
import io.lockkeeper.spi.Inspection;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * What users know as a lock: a name and settings. It has no state of its own, so that two of one
 * name are the same lock.
 */
final class LockView implements DistributedLock, Placed {

  private final Engine engine;
  private final String name;
  private final Waiter.Order order;
  private final long leaseNanos;
  private final int localPasses;
  private final boolean reentrant;

  LockView(
      Engine engine,
      String name,
      Waiter.Order order,
      long leaseNanos,
      int localPasses,
      boolean reentrant) {
    this.engine = engine;
    this.name = name;
    this.order = order;
    this.leaseNanos = leaseNanos;
    this.localPasses = localPasses;
    this.reentrant = reentrant;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Host host() {
    return engine.host();
  }

  @Override
  public String place() {
    return engine.place();
  }

  // ------------------------------------------------------------- as a lock

  @Override
  public void lock() {
    if (!reenter(true)) {
      acquire(renewed(Margins.NEVER), order, Thread.currentThread());
    }
  }

  @Override
  public void lock(Duration lease) {
    Waiter.Terms terms = fixed(lease, Margins.NEVER);
    if (!reenter(true)) {
      acquire(terms, order, Thread.currentThread());
    }
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    throwIfInterrupted();
    if (!reenter(true)) {
      acquireInterruptibly(renewed(Margins.NEVER), order, Thread.currentThread());
    }
  }

  @Override
  public boolean tryLock() {
    return reenter(false)
        || acquire(renewed(Margins.NEVER), Waiter.Order.ONCE, Thread.currentThread()) != null;
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    return tryLock(unit.toNanos(time), renewed(deadline(unit.toNanos(time))));
  }

  @Override
  public boolean tryLock(Duration wait, Duration lease) throws InterruptedException {
    long waitNanos = nanos(wait);
    return tryLock(waitNanos, fixed(lease, deadline(waitNanos)));
  }

  private boolean tryLock(long waitNanos, Waiter.Terms terms) throws InterruptedException {
    throwIfInterrupted();
    return reenter(waitNanos > 0)
        || acquireInterruptibly(terms, orderFor(waitNanos), Thread.currentThread()) != null;
  }

  @Override
  public void unlock() {
    Thread me = Thread.currentThread();
    Gate gate = engine.existingGate(name);
    Hold mine = mine(gate, me);
    if (gate != null && mine != null && left(gate, mine)) {
      return;
    }
    Hold lost = gate == null ? null : gate.lossOf(me);
    if (gate == null || lost == null || lost.loss == null) {
      throw notHeld(me);
    }
    lost.count--;
    if (lost.count <= 0) {
      gate.forgetLossOf(me);
    }
    throw new LeaseLostException(lost.loss);
  }

  /** Leaves a hold once; returns false if it turns out to be lost. */
  private boolean left(Gate gate, Hold mine) {
    if (mine.count == 1) {
      return gate.release(mine);
    }
    if (mine.isValid(engine.now()) || gate.stillHeld(mine)) {
      mine.count--;
      return true;
    }
    return false;
  }

  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException(
        "a distributed lock has no conditions: a waiting thread would have to be woken by the store");
  }

  /**
   * Enters again if the current thread holds this lock.
   *
   * @param waits whether the thread would wait for itself if it may not enter again
   */
  private boolean reenter(boolean waits) {
    Thread me = Thread.currentThread();
    Gate gate = engine.existingGate(name);
    if (gate == null) {
      return false;
    }
    Hold mine = mine(gate, me);
    if (mine != null && (mine.isValid(engine.now()) || gate.stillHeld(mine))) {
      if (!reentrant) {
        return refuse(waits);
      }
      if (mine.count == Integer.MAX_VALUE) {
        throw new IllegalStateException("'" + name + "' is locked too often by one thread");
      }
      mine.count++;
      return true;
    }
    Hold lost = gate.lossOf(me);
    if (lost != null && lost.loss != null) {
      if (lost.loss.reason() != LeaseLost.Reason.FIXED_LEASE_ENDED) {
        throw new LeaseLostException(lost.loss);
      }
      gate.forgetLossOf(me); // it asked for just that much time: this is a new beginning
    }
    return false;
  }

  private boolean refuse(boolean waits) {
    if (waits) {
      throw new IllegalStateException(
          "this thread holds '" + name + "' already and would wait for itself: not re-entrant");
    }
    return false;
  }

  private static @Nullable Hold mine(@Nullable Gate gate, Thread me) {
    Hold hold = gate == null ? null : gate.hold();
    return hold != null && hold.owner == me ? hold : null;
  }

  private IllegalMonitorStateException notHeld(Thread thread) {
    return new IllegalMonitorStateException(
        "'" + name + "' is not locked by thread '" + thread.getName() + "'");
  }

  // ------------------------------------------------------------- as a source of leases

  @Override
  public Lease acquire(AcquireOptions options) throws InterruptedException {
    Lease lease = tryAcquire(options);
    if (lease == null) {
      throw new AcquireTimeoutException(
          "'" + name + "' was not granted within " + options.maxWait().orElse(Duration.ZERO));
    }
    return lease;
  }

  @Override
  public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
    return Optional.ofNullable(tryAcquire(AcquireOptions.defaults().withWait(wait)));
  }

  private @Nullable Lease tryAcquire(AcquireOptions options) throws InterruptedException {
    throwIfInterrupted();
    if (options.maxWait().isEmpty() && isHeldByCurrentThread()) {
      throw new IllegalStateException(
          "this thread holds '"
              + name
              + "' by lock() and would wait for itself: a lease never"
              + " re-enters; use heldLease() or limit the wait");
    }
    Asked asked = asked(options);
    Waiter waiter = acquireInterruptibly(asked.terms(), asked.order(), null);
    return waiter == null || waiter.hold == null
        ? null
        : new LeaseView(engine, engine.gate(name), waiter.hold);
  }

  @Override
  public CompletionStage<Lease> acquireAsync(AcquireOptions options) {
    Asked asked = asked(options);
    CompletableFuture<Lease> future = new CompletableFuture<>();
    Waiter waiter = new Waiter(asked.order(), asked.terms(), null, null, future);
    Gate gate;
    try {
      gate = enter(waiter);
    } catch (LockkeeperClosedException closed) {
      return CompletableFuture.failedFuture(closed);
    }
    CompletionStage<Lease> stage = future;
    stage.exceptionally(
        failure -> {
          gate.leave(waiter); // cancelled by the caller, or over anyway
          return null;
        });
    return future;
  }

  /** How to ask for what the options say. */
  private record Asked(Waiter.Order order, Waiter.Terms terms) {}

  private Asked asked(AcquireOptions options) {
    long waitNanos = options.maxWait().map(LockView::nanos).orElse(Margins.NEVER);
    long deadline = waitNanos == Margins.NEVER ? Margins.NEVER : deadline(waitNanos);
    Waiter.Terms terms =
        options
            .fixedLease()
            .map(lease -> fixed(lease, deadline))
            .orElseGet(() -> renewed(deadline));
    return new Asked(orderFor(waitNanos), terms);
  }

  // ------------------------------------------------------------- acquiring

  private @Nullable Waiter acquire(Waiter.Terms terms, Waiter.Order order, @Nullable Thread owner) {
    while (true) {
      Waiter waiter = new Waiter(order, terms, owner, Thread.currentThread(), null);
      Gate gate = enter(waiter);
      if (!Parking.await(engine, gate, waiter)) {
        return failed(waiter);
      }
      if (usable(gate, waiter)) {
        return waiter;
      }
    }
  }

  private @Nullable Waiter acquireInterruptibly(
      Waiter.Terms terms, Waiter.Order order, @Nullable Thread owner) throws InterruptedException {
    while (true) {
      Waiter waiter = new Waiter(order, terms, owner, Thread.currentThread(), null);
      Gate gate = enter(waiter);
      if (!Parking.awaitInterruptibly(engine, gate, waiter)) {
        return failed(waiter);
      }
      if (usable(gate, waiter)) {
        return waiter;
      }
    }
  }

  private Gate enter(Waiter waiter) {
    Gate gate = engine.gate(name);
    while (!gate.enter(waiter)) {
      gate = engine.gateAfter(gate);
    }
    return gate;
  }

  /** Returns null for a request that ran out of time, and throws for one that failed. */
  private @Nullable Waiter failed(Waiter waiter) {
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
      gate.forgetLossOf(waiter.owner);
    }
    engine.checkOpen(name);
    return false;
  }

  private Waiter.Order orderFor(long waitNanos) {
    return waitNanos <= 0 ? Waiter.Order.ONCE : order;
  }

  private Waiter.Terms renewed(long deadlineNanos) {
    return new Waiter.Terms(leaseNanos, false, localPasses, engine.now(), deadlineNanos);
  }

  private Waiter.Terms fixed(Duration lease, long deadlineNanos) {
    long nanos =
        AcquireOptions.defaults().withFixedLease(lease).fixedLease().orElse(lease).toNanos();
    return new Waiter.Terms(nanos, true, localPasses, engine.now(), deadlineNanos);
  }

  /** Returns when to give up: never where the store is asked once, because its answer ends that. */
  private long deadline(long waitNanos) {
    long now = engine.now();
    return waitNanos <= 0 || waitNanos >= Margins.NEVER - now ? Margins.NEVER : now + waitNanos;
  }

  private static long nanos(Duration wait) {
    try {
      return wait.toNanos();
    } catch (ArithmeticException tooLong) {
      return wait.isNegative() ? 0 : Margins.NEVER;
    }
  }

  private static void throwIfInterrupted() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  // ------------------------------------------------------------- asking

  @Override
  public long token() {
    return held(heldHold());
  }

  private long held(Hold hold) {
    Gate gate = engine.gate(name);
    if (!hold.isValid(engine.now()) && !gate.stillHeld(hold) && hold.loss != null) {
      throw new LeaseLostException(hold.loss);
    }
    return hold.token;
  }

  @Override
  public Lease heldLease() {
    return new LeaseView(engine, engine.gate(name), heldHold());
  }

  private Hold heldHold() {
    Thread me = Thread.currentThread();
    Gate gate = engine.existingGate(name);
    Hold mine = mine(gate, me);
    if (mine == null && gate != null) {
      mine = gate.lossOf(me);
    }
    if (mine == null) {
      throw notHeld(me);
    }
    return mine;
  }

  @Override
  public boolean isHeldByCurrentThread() {
    Hold mine = mine(engine.existingGate(name), Thread.currentThread());
    return mine != null && mine.isValid(engine.now());
  }

  @Override
  public int getHoldCount() {
    Hold mine = mine(engine.existingGate(name), Thread.currentThread());
    return mine != null && mine.isValid(engine.now()) ? mine.count : 0;
  }

  @Override
  public boolean isLocked() {
    engine.checkOpen(name);
    Gate gate = engine.existingGate(name);
    Hold hold = gate == null ? null : gate.hold();
    if (hold != null && hold.isValid(engine.now())) {
      return true;
    }
    Inspection inspection = StoreCalls.ask(engine, name, () -> engine.store().inspect(name));
    return inspection.holder() != null;
  }

  @Override
  public boolean forceUnlock() {
    engine.checkOpen(name);
    Forced forced = StoreCalls.ask(engine, name, () -> engine.store().forceRelease(name));
    Gate gate = engine.existingGate(name);
    if (gate != null) {
      gate.revoked();
    }
    return forced.wasHeld();
  }

  @Override
  public String toString() {
    String kind = order == Waiter.Order.STRICT ? "fairLock" : "lock";
    return kind + "['" + name + "' at " + engine.store().describe() + "]";
  }
}
