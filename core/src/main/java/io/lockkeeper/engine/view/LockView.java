package io.lockkeeper.engine.view;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.compose.Host;
import io.lockkeeper.compose.StoreBoundLock;
import io.lockkeeper.engine.coordination.Promise;
import io.lockkeeper.engine.coordination.Requests;
import io.lockkeeper.engine.coordination.ResourceCoordinator;
import io.lockkeeper.engine.coordination.ResourceCoordinators;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.runtime.StoreCalls;
import io.lockkeeper.engine.state.Hold;
import io.lockkeeper.engine.state.Waiter;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Shows users a lock: a name and settings. It has no state of its own, so that two of one name are
 * the same lock.
 *
 * <p>It may be one side of a read-write lock. Both sides of one name share a thread's hold, and
 * count in it apart how often the thread has locked them. A thread that holds the write lock may
 * read; once it has unlocked the write lock and still reads, its hold shrinks to that of a reader.
 *
 * <p>This file is long because a lock has many methods; few of them have more than a few lines.
 */
final class LockView implements DistributedLock, StoreBoundLock {

  private static final Logger LOG = System.getLogger("io.lockkeeper");

  /** Which lock of its resource this is. */
  enum Side {
    /** The only one. */
    WHOLE,
    READ,
    WRITE
  }

  private final Requests requests;
  private final ResourceCoordinators resources;
  private final ClientRuntime runtime;
  private final Host host;
  private final ResourceId resource;
  private final String name;
  private final Side side;
  private final Share share;
  private final boolean reentrant;

  /** Whether a release waits for the store. */
  private final boolean confirms;

  LockView(
      Requests requests, Host host, Side side, Share share, boolean reentrant, boolean confirms) {
    this.requests = requests;
    this.host = host;
    this.resources = requests.resources();
    this.runtime = resources.runtime();
    this.resource = requests.resource();
    this.name = requests.name();
    this.side = side;
    this.share = share;
    this.reentrant = reentrant;
    this.confirms = confirms;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Host host() {
    return host;
  }

  @Override
  public String place() {
    return runtime.place() + (resource.kind() == ResourceKind.LOCK ? "" : ", " + resource.kind());
  }

  @Override
  public String side() {
    return side == Side.WHOLE ? "" : side.name();
  }

  // ------------------------------------------------------------- as a lock

  @Override
  public void lock() {
    if (!reenter(true)) {
      entered(requests.acquire(requests.patient(share), Thread.currentThread()));
    }
  }

  @Override
  public void lock(AcquireOptions options) {
    Requests.Asked asked = requests.as(options, share).orThrow();
    if (!reenter(true)) {
      entered(requests.acquire(asked, Thread.currentThread()));
    }
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    Requests.throwIfInterrupted();
    if (!reenter(true)) {
      entered(requests.acquireInterruptibly(requests.patient(share), Thread.currentThread()));
    }
  }

  @Override
  public boolean tryLock() {
    if (reenter(false)) {
      return true;
    }
    return !wouldUpgrade()
        && entered(requests.acquire(requests.once(share), Thread.currentThread()));
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    return tryLock(requests.timed(share, unit.toNanos(time)));
  }

  @Override
  public boolean tryLock(AcquireOptions options) throws InterruptedException {
    return tryLock(requests.as(options, share));
  }

  private boolean tryLock(Requests.Asked asked) throws InterruptedException {
    Requests.throwIfInterrupted();
    boolean waits = asked.order() != Waiter.Order.ONCE;
    if (reenter(waits)) {
      return true;
    }
    return !wouldUpgrade() && entered(requests.acquireInterruptibly(asked, Thread.currentThread()));
  }

  /** Counts the first entry of a new hold, if there is one. */
  private boolean entered(@Nullable Hold fresh) {
    if (fresh != null && side == Side.READ) {
      fresh.startReading();
    }
    return fresh != null;
  }

  @Override
  public void unlock() {
    unlock(confirms);
  }

  @Override
  public void leave(Lease once) {
    try {
      if (((LeaseView) once).hold == heldHold()) {
        unlock(false);
      }
    } catch (LeaseLostException | IllegalMonitorStateException over) {
      // The caller knows.
    }
  }

  private void unlock(boolean waits) {
    Thread me = Thread.currentThread();
    ResourceCoordinator coordinator = resources.existing(resource);
    Hold mine = mine(coordinator, me);
    if (coordinator != null && mine != null && left(coordinator, mine)) {
      if (waits) {
        coordinator.awaitConfirmed(mine);
      }
      return;
    }
    Hold lost = resources.lostHolds().of(me, resource);
    if (lost == null || lost.loss() == null || count(lost) == 0) {
      throw notHeld(me);
    }
    add(lost, -1);
    if (lost.allLocks() <= 0) {
      resources.lostHolds().forget(me, resource);
    }
    throw new LeaseLostException(lost.loss());
  }

  /** Leaves a hold once; returns false if it turns out to be lost. */
  private boolean left(ResourceCoordinator coordinator, Hold mine) {
    if (mine.allLocks() == 1) {
      return coordinator.release(mine);
    }
    if (side == Side.WRITE && mine.locks(false) == 1) {
      if (!coordinator.giveBack(mine, share.permits() - 1)) {
        return false;
      }
    } else if (!mine.isValid(runtime.now()) && !coordinator.stillHeld(mine)) {
      return false;
    }
    add(mine, -1);
    mine.leaveOnce();
    return true;
  }

  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException(
        "a distributed lock has no conditions: a waiting thread would have to be woken by the"
            + " store");
  }

  /**
   * Enters again if the current thread holds this lock.
   *
   * @param waits whether the caller would otherwise wait
   */
  private boolean reenter(boolean waits) {
    Thread me = Thread.currentThread();
    ResourceCoordinator coordinator = resources.existing(resource);
    Hold mine = coordinator == null ? null : coordinator.holdOf(me);
    if (coordinator != null
        && mine != null
        && (mine.isValid(runtime.now()) || coordinator.stillHeld(mine))) {
      return reenter(coordinator, mine, waits);
    }
    Hold lost = resources.lostHolds().of(me, resource);
    LeaseLost loss = lost == null ? null : lost.loss();
    if (lost != null && loss != null) {
      runtime.checkOpen(name);
      // A fixed lease asked for just that much time.
      if (loss.reason() != LeaseLost.Reason.FIXED_LEASE_ENDED && lost.tellsLossToLock()) {
        LOG.log(
            Level.WARNING,
            "''{0}'': thread ''{1}'' locks it again without having unlocked what it lost ({2});"
                + " this call throws LeaseLostException, the next one begins anew",
            name,
            me.getName(),
            loss.reason());
        throw new LeaseLostException(loss);
      }
      resources.lostHolds().forget(me, resource); // this is a new beginning
    }
    return false;
  }

  private boolean reenter(ResourceCoordinator coordinator, Hold mine, boolean waits) {
    if (isUpgrade(mine)) {
      if (waits) {
        throw new IllegalStateException(
            "'"
                + name
                + "': this thread holds the read lock and would wait for itself to get the write"
                + " lock; unlock the read lock first");
      }
      return false;
    }
    if (!reentrant) {
      return refuse(waits);
    }
    if (count(mine) == Integer.MAX_VALUE) {
      throw new IllegalStateException("'" + name + "' is locked too often by one thread");
    }
    boolean entered = mine.enterAgain();
    if (entered) {
      add(mine, 1);
      requests.reentered(coordinator, mine, share);
    }
    return entered; // or it was just ended, and this is a new beginning
  }

  private boolean refuse(boolean waits) {
    if (waits) {
      throw new IllegalStateException(
          "this thread holds '" + name + "' already and would wait for itself: not re-entrant");
    }
    return false;
  }

  private boolean wouldUpgrade() {
    ResourceCoordinator coordinator = side == Side.WRITE ? resources.existing(resource) : null;
    Hold mine = coordinator == null ? null : coordinator.holdOf(Thread.currentThread());
    return mine != null && isUpgrade(mine);
  }

  private boolean isUpgrade(Hold mine) {
    return side == Side.WRITE && mine.locks(false) == 0;
  }

  /** Returns the current thread's hold if it has locked this side of it. */
  private @Nullable Hold mine(@Nullable ResourceCoordinator coordinator, Thread me) {
    Hold hold = coordinator == null ? null : coordinator.holdOf(me);
    return hold == null || count(hold) == 0 ? null : hold;
  }

  private int count(Hold hold) {
    return hold.locks(side == Side.READ);
  }

  private void add(Hold hold, int times) {
    hold.addLocks(side == Side.READ, times);
  }

  private IllegalMonitorStateException notHeld(Thread thread) {
    String what = side == Side.WHOLE ? "" : side == Side.READ ? "read-" : "write-";
    return new IllegalMonitorStateException(
        "'" + name + "' is not " + what + "locked by thread '" + thread.getName() + "'");
  }

  // ------------------------------------------------------------- as a source of leases

  @Override
  public Lease acquire(AcquireOptions options) throws InterruptedException {
    return Objects.requireNonNull(tryAcquire(options, requests.as(options, share).orThrow()));
  }

  @Override
  public Optional<Lease> tryAcquire(Duration wait) throws InterruptedException {
    AcquireOptions options = AcquireOptions.defaults().withWait(wait);
    return Optional.ofNullable(tryAcquire(options, requests.as(options, share)));
  }

  private @Nullable Lease tryAcquire(AcquireOptions options, Requests.Asked asked)
      throws InterruptedException {
    Requests.throwIfInterrupted();
    if (options.maxWait().isEmpty() && holdsAnySide()) {
      throw new IllegalStateException(
          "this thread holds '"
              + name
              + "' by lock() and would wait for itself: a lease never"
              + " re-enters; use heldLease() or limit the wait");
    }
    Hold hold = requests.acquireInterruptibly(asked, null);
    return hold == null ? null : new LeaseView(runtime, resources.of(resource), hold, confirms);
  }

  private boolean holdsAnySide() {
    ResourceCoordinator coordinator = resources.existing(resource);
    Hold mine = coordinator == null ? null : coordinator.holdOf(Thread.currentThread());
    return mine != null && mine.isValid(runtime.now());
  }

  @Override
  public CompletionStage<Lease> acquireAsync(AcquireOptions options) {
    return requests.acquireAsync(
        requests.as(options, share),
        new Promise<Lease>(
            (coordinator, hold) -> new LeaseView(runtime, coordinator, hold, confirms)));
  }

  // ------------------------------------------------------------- asking

  @Override
  public long token() {
    return held(heldHold());
  }

  private long held(Hold hold) {
    ResourceCoordinator coordinator = resources.of(resource);
    boolean isOver = !hold.isValid(runtime.now()) && !coordinator.stillHeld(hold);
    LeaseLost loss = isOver ? hold.loss() : null;
    if (loss != null) {
      throw new LeaseLostException(loss);
    }
    return hold.token();
  }

  @Override
  public Lease heldLease() {
    return new LeaseView(runtime, resources.of(resource), heldHold(), confirms);
  }

  @Override
  public Lease heldOnce() {
    return new LeaseView(runtime, resources.of(resource), heldHold(), confirms) {
      @Override
      public void release() {
        if (mayEnd()) {
          super.release();
        }
      }

      @Override
      public CompletionStage<Void> releaseAsync() {
        return mayEnd() ? super.releaseAsync() : CompletableFuture.completedStage(null);
      }

      private boolean mayEnd() {
        return !coordinator.stillHeld(hold) || hold.endIfEnteredOnce();
      }
    };
  }

  private Hold heldHold() {
    Thread me = Thread.currentThread();
    ResourceCoordinator coordinator = resources.existing(resource);
    Hold mine = mine(coordinator, me);
    if (mine == null) {
      Hold lost = resources.lostHolds().of(me, resource);
      mine = lost == null || count(lost) == 0 ? null : lost;
    }
    if (mine == null) {
      throw notHeld(me);
    }
    return mine;
  }

  @Override
  public boolean isHeldByCurrentThread() {
    Hold mine = mine(resources.existing(resource), Thread.currentThread());
    return mine != null && mine.isValid(runtime.now());
  }

  @Override
  public int getHoldCount() {
    Hold mine = mine(resources.existing(resource), Thread.currentThread());
    return mine != null && mine.isValid(runtime.now()) ? count(mine) : 0;
  }

  @Override
  public boolean isLocked() {
    runtime.checkOpen(name);
    ResourceCoordinator coordinator = resources.existing(resource);
    if (side == Side.WHOLE && coordinator != null && coordinator.isHeld()) {
      return true;
    }
    if (side != Side.WHOLE && isHeldByCurrentThread()) {
      return true; // the store does not know that a thread that writes reads too
    }
    return resources.inspect(resource).holders().stream().anyMatch(this::isMine);
  }

  /** Returns whether a holder at the store holds this lock and not its other side. */
  private boolean isMine(Inspection.Holder holder) {
    if (side == Side.WHOLE && holder.clientId().equals(runtime.clientId())) {
      return false; // not held here: it is being given back, or kept idle
    }
    return side == Side.WHOLE || holder.permits() == share.permits();
  }

  @Override
  public boolean forceUnlock() {
    runtime.checkOpen(name);
    OptionalLong newest =
        resources.inspect(resource).holders().stream().mapToLong(Inspection.Holder::token).max();
    if (newest.isEmpty()) {
      return false;
    }
    // Bound to those who hold it now: it may be asked again after they have gone.
    ForceRequest request = new ForceRequest(resource, newest.getAsLong());
    StoreCalls.ask(runtime, name, () -> runtime.store().forceRelease(request));
    ResourceCoordinator coordinator = resources.existing(resource);
    if (coordinator != null) {
      coordinator.revoked();
    }
    return true;
  }

  @Override
  public String toString() {
    return kind() + "['" + name + "' at " + runtime.store().describe() + "]";
  }

  private String kind() {
    return switch (side) {
      case WHOLE -> requests.order() == Waiter.Order.STRICT ? "fairLock" : "lock";
      case READ -> "readLock";
      case WRITE -> "writeLock";
    };
  }
}
