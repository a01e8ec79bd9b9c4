package io.lockkeeper.engine;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.compose.Host;
import io.lockkeeper.compose.PlacedLock;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.ResourceKind;
import io.lockkeeper.spi.Share;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * What users know as a lock: a name and settings. It has no state of its own, so that two of one
 * name are the same lock.
 *
 * <p>It may be one side of a read-write lock. Both sides of one name share a thread's hold, and
 * count in it apart how often the thread has locked them. A thread that holds the write lock may
 * read; once it has unlocked the write lock and still reads, its hold shrinks to that of a reader.
 */
final class LockView implements DistributedLock, PlacedLock {

  /** Which lock of its resource this is. */
  enum Side {
    /** The only one. */
    WHOLE,
    READ,
    WRITE
  }

  private final Requests requests;
  private final Engine engine;
  private final String resource;
  private final String name;
  private final Side side;
  private final Share share;
  private final boolean reentrant;

  /** Whether a release waits for the store. */
  private final boolean confirms;

  LockView(Requests requests, Side side, Share share, boolean reentrant, boolean confirms) {
    this.requests = requests;
    this.engine = requests.engine();
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
    return engine.host();
  }

  @Override
  public String place() {
    String kind = ResourceKind.of(resource).suffix();
    return engine.place() + (kind.isEmpty() ? "" : ", " + kind);
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
  public void lock(Duration lease) {
    Requests.Asked asked = requests.fixed(share, lease, Margins.NEVER);
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
  public boolean tryLock(Duration wait, Duration lease) throws InterruptedException {
    return tryLock(requests.fixed(share, lease, Requests.nanos(wait)));
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
      fresh.count = 0;
      fresh.reads = 1;
    }
    return fresh != null;
  }

  @Override
  public void unlock() {
    Thread me = Thread.currentThread();
    Gate gate = engine.existingGate(resource);
    Hold mine = mine(gate, me);
    if (gate != null && mine != null && left(gate, mine)) {
      if (confirms) {
        gate.awaitConfirmed(mine);
      }
      return;
    }
    Hold lost = engine.losses().of(me, resource);
    if (lost == null || lost.loss == null || count(lost) == 0) {
      throw notHeld(me);
    }
    add(lost, -1);
    if (lost.count + lost.reads <= 0) {
      engine.losses().forget(me, resource);
    }
    throw new LeaseLostException(lost.loss);
  }

  /** Leaves a hold once; returns false if it turns out to be lost. */
  private boolean left(Gate gate, Hold mine) {
    if (mine.count + mine.reads == 1) {
      return gate.release(mine);
    }
    if (side == Side.WRITE && mine.count == 1) {
      if (!gate.giveBack(mine, share.permits() - 1)) {
        return false;
      }
    } else if (!mine.isValid(engine.now()) && !gate.stillHeld(mine)) {
      return false;
    }
    add(mine, -1);
    mine.leaveOnce();
    return true;
  }

  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException(
        "a distributed lock has no conditions: a waiting thread would have to be woken by the store");
  }

  /**
   * Enters again if the current thread holds this lock.
   *
   * @param waits whether the caller would otherwise wait
   */
  private boolean reenter(boolean waits) {
    Thread me = Thread.currentThread();
    Gate gate = engine.existingGate(resource);
    Hold mine = gate == null ? null : gate.holdOf(me);
    if (gate != null && mine != null && (mine.isValid(engine.now()) || gate.stillHeld(mine))) {
      return reenter(mine, waits);
    }
    Hold lost = engine.losses().of(me, resource);
    if (lost != null && lost.loss != null) {
      if (lost.loss.reason() != LeaseLost.Reason.FIXED_LEASE_ENDED) {
        throw new LeaseLostException(lost.loss);
      }
      engine
          .losses()
          .forget(me, resource); // it asked for just that much time: this is a new beginning
    }
    return false;
  }

  private boolean reenter(Hold mine, boolean waits) {
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
    Gate gate = side == Side.WRITE ? engine.existingGate(resource) : null;
    Hold mine = gate == null ? null : gate.holdOf(Thread.currentThread());
    return mine != null && isUpgrade(mine);
  }

  private boolean isUpgrade(Hold mine) {
    return side == Side.WRITE && mine.count == 0;
  }

  /** Returns the current thread's hold if it has locked this side of it. */
  private @Nullable Hold mine(@Nullable Gate gate, Thread me) {
    Hold hold = gate == null ? null : gate.holdOf(me);
    return hold == null || count(hold) == 0 ? null : hold;
  }

  private int count(Hold hold) {
    return side == Side.READ ? hold.reads : hold.count;
  }

  private void add(Hold hold, int times) {
    if (side == Side.READ) {
      hold.reads += times;
    } else {
      hold.count += times;
    }
  }

  private IllegalMonitorStateException notHeld(Thread thread) {
    String what = side == Side.WHOLE ? "" : side == Side.READ ? "read-" : "write-";
    return new IllegalMonitorStateException(
        "'" + name + "' is not " + what + "locked by thread '" + thread.getName() + "'");
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
    Requests.throwIfInterrupted();
    if (options.maxWait().isEmpty() && holdsAnySide()) {
      throw new IllegalStateException(
          "this thread holds '"
              + name
              + "' by lock() and would wait for itself: a lease never"
              + " re-enters; use heldLease() or limit the wait");
    }
    Hold hold = requests.acquireInterruptibly(requests.as(options, share), null);
    return hold == null ? null : new LeaseView(engine, engine.gate(resource), hold, confirms);
  }

  private boolean holdsAnySide() {
    Gate gate = engine.existingGate(resource);
    Hold mine = gate == null ? null : gate.holdOf(Thread.currentThread());
    return mine != null && mine.isValid(engine.now());
  }

  @Override
  public CompletionStage<Lease> acquireAsync(AcquireOptions options) {
    return requests.acquireAsync(
        requests.as(options, share),
        new Promise<Lease>((gate, hold) -> new LeaseView(engine, gate, hold, confirms)));
  }

  // ------------------------------------------------------------- asking

  @Override
  public long token() {
    return held(heldHold());
  }

  private long held(Hold hold) {
    Gate gate = engine.gate(resource);
    if (!hold.isValid(engine.now()) && !gate.stillHeld(hold) && hold.loss != null) {
      throw new LeaseLostException(hold.loss);
    }
    return hold.token;
  }

  @Override
  public Lease heldLease() {
    return new LeaseView(engine, engine.gate(resource), heldHold(), confirms);
  }

  @Override
  public Lease heldOnce() {
    return new LeaseView(engine, engine.gate(resource), heldHold(), confirms) {
      @Override
      public void release() {
        if (!gate.stillHeld(hold) || hold.endIfEnteredOnce()) {
          super.release();
        }
      }
    };
  }

  private Hold heldHold() {
    Thread me = Thread.currentThread();
    Gate gate = engine.existingGate(resource);
    Hold mine = mine(gate, me);
    if (mine == null) {
      Hold lost = engine.losses().of(me, resource);
      mine = lost == null || count(lost) == 0 ? null : lost;
    }
    if (mine == null) {
      throw notHeld(me);
    }
    return mine;
  }

  @Override
  public boolean isHeldByCurrentThread() {
    Hold mine = mine(engine.existingGate(resource), Thread.currentThread());
    return mine != null && mine.isValid(engine.now());
  }

  @Override
  public int getHoldCount() {
    Hold mine = mine(engine.existingGate(resource), Thread.currentThread());
    return mine != null && mine.isValid(engine.now()) ? count(mine) : 0;
  }

  @Override
  public boolean isLocked() {
    engine.checkOpen(name);
    Gate gate = engine.existingGate(resource);
    if (side == Side.WHOLE && gate != null && gate.isHeld()) {
      return true;
    }
    return engine.inspect(name, resource).holders().stream().anyMatch(this::isMine);
  }

  /** Returns whether a holder at the store holds this lock and not its other side. */
  private boolean isMine(Inspection.Holder holder) {
    if (side == Side.WHOLE && holder.clientId().equals(engine.clientId())) {
      return false; // not held here: it is being given back, or kept idle
    }
    return side == Side.WHOLE || holder.permits() == share.permits();
  }

  @Override
  public boolean forceUnlock() {
    engine.checkOpen(name);
    OptionalLong newest =
        engine.inspect(name, resource).holders().stream().mapToLong(Inspection.Holder::token).max();
    if (newest.isEmpty()) {
      return false;
    }
    // Bound to those who hold it now: it may be asked again after they have gone.
    ForceRequest request = new ForceRequest(resource, newest.getAsLong());
    StoreCalls.ask(engine, name, () -> engine.store().forceRelease(request));
    Gate gate = engine.existingGate(resource);
    if (gate != null) {
      gate.revoked();
    }
    return true;
  }

  @Override
  public String toString() {
    return kind() + "['" + name + "' at " + engine.store().describe() + "]";
  }

  private String kind() {
    return switch (side) {
      case WHOLE -> requests.order() == Waiter.Order.STRICT ? "fairLock" : "lock";
      case READ -> "readLock";
      case WRITE -> "writeLock";
    };
  }
}
