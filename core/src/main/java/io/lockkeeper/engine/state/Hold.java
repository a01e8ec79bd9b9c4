package io.lockkeeper.engine.state;

import io.lockkeeper.LeaseLost;
import io.lockkeeper.LockObserver;
import io.lockkeeper.engine.policy.ClockDrift;
import io.lockkeeper.engine.policy.Instants;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Represents one holder's time with a resource: what a {@link io.lockkeeper.Lease} and a thread's
 * {@code lock()} stand for.
 */
public final class Hold {

  /** Where a hold stands; {@code HELD} is the only state with a way out. */
  public enum State {
    HELD,
    RELEASED,
    LOST
  }

  final CurrentGrant grant;
  final long token;

  /** The thread that owns it, or null if it belongs to its handle. */
  final @Nullable Thread owner;

  /** The thread that waited for it, if one did; it need not be the owner. */
  private final @Nullable Thread acquirer;

  final long leaseNanos;
  final boolean fixed;
  final long acquiredNanos;

  /** When a fixed lease ends by itself; null if the lease is renewed. */
  private final @Nullable Expiry end;

  /** Written under the coordinator's mutex; the last write of a loss, after {@link #loss}. */
  volatile State state = State.HELD;

  /**
   * Whether its holder knows of it: a thread that waited does, and a callback when it has come to
   * run.
   */
  private volatile boolean heard;

  /** How many permits it has. Written under the coordinator's mutex. */
  volatile int permits;

  /**
   * How often the owner has locked it; for a read-write lock, its write lock. Only the owner
   * touches it.
   */
  private int count = 1;

  /**
   * How often the owner has locked the read lock of a read-write lock. Only the owner touches it.
   */
  private int reads;

  /** Whether the owner was told of the loss as it locked again. Only the owner touches it. */
  private boolean lossToldToLock;

  /**
   * How often the owner has locked it in all, and 0 once somebody else has ended it because that
   * was only once.
   */
  private final AtomicInteger entries = new AtomicInteger(1);

  /** How it came. Written before its holder knows of it. */
  private LockObserver.Via via = LockObserver.Via.STORE;

  /** The observation of its end, if there is one. Written before its holder knows of it. */
  private volatile @Nullable Watcher watcher;

  /** When it was released or lost. Written under the coordinator's mutex. */
  private long overNanos;

  /** Why it was lost; set before {@link #state} says so. */
  private @Nullable LeaseLost loss;

  /** Notified when it is lost. Guarded by the coordinator's mutex. */
  private List<Consumer<LeaseLost>> lossListeners = List.of();

  /** Observes the end of a hold. Called without the mutex. */
  public interface Watcher {

    /** Notes that it was released. */
    void released(long overNanos);

    /** Notes that it was lost. May be called twice. */
    void lost(LeaseLost loss, long overNanos);
  }

  Hold(
      CurrentGrant grant,
      @Nullable Thread owner,
      @Nullable Thread acquirer,
      long token,
      long leaseNanos,
      boolean fixed,
      int permits,
      long acquiredNanos,
      long endNanos) {
    this.grant = grant;
    this.owner = owner;
    this.acquirer = acquirer;
    this.heard = acquirer != null;
    this.token = token;
    this.leaseNanos = leaseNanos;
    this.fixed = fixed;
    this.permits = permits;
    this.acquiredNanos = acquiredNanos;
    this.end = fixed ? new Expiry(endNanos) : null;
  }

  // ------------------------------------------------------------- what it is

  /** Returns the grant that it is part of. */
  public CurrentGrant grant() {
    return grant;
  }

  /** Returns its fencing token. */
  public long token() {
    return token;
  }

  /** Returns the thread that owns it, or null if it belongs to its handle. */
  public @Nullable Thread owner() {
    return owner;
  }

  /** Returns the thread that waited for it, if one did. */
  public @Nullable Thread acquirer() {
    return acquirer;
  }

  /** Returns how many permits it has. */
  public int permits() {
    return permits;
  }

  /** Returns where it stands. */
  public State state() {
    return state;
  }

  /** Returns whether it was neither released nor lost; its time may be over. */
  public boolean isHeld() {
    return state == State.HELD;
  }

  /** Returns until when it may be relied on. */
  public long validUntilNanos() {
    return Math.min(grant.validUntilNanos(), endNanos());
  }

  /** Returns when a fixed lease ends by itself, or {@link Instants#NEVER}. */
  long endNanos() {
    return end == null ? Instants.NEVER : end.nanos();
  }

  /** Lets a fixed lease end at another time; returns false if it has ended. */
  boolean endAt(long nanos) {
    return end == null || end.moveTo(nanos);
  }

  /**
   * Returns whether it is held and may be relied on. Once it has said that it may not that stays
   * so.
   */
  public boolean isValid(long nowNanos) {
    return state == State.HELD && grant.isValid(nowNanos) && (end == null || end.isAhead(nowNanos));
  }

  // ------------------------------------------------------------- its holder

  /** Notes that its holder knows of it. */
  public void hear() {
    heard = true;
  }

  /** Returns how it came. */
  public LockObserver.Via via() {
    return via;
  }

  void cameVia(LockObserver.Via way) {
    via = way;
  }

  /**
   * Keeps an observer of its end. It may have been lost before: the caller looks at {@link #state}
   * afterwards, and then calls {@link #tellLost} itself.
   */
  public void watch(Watcher by) {
    watcher = by;
  }

  /** Returns whether somebody observes its end. */
  public boolean isWatched() {
    return watcher != null;
  }

  /** Tells who observes it that it was released. To be called once, without the mutex. */
  public void tellReleased() {
    Watcher by = watcher;
    if (by != null) {
      by.released(overNanos);
    }
  }

  /** Tells who observes it that it was lost. To be called after that, without the mutex. */
  public void tellLost() {
    Watcher by = watcher;
    LeaseLost known = loss;
    if (by != null && known != null) {
      by.lost(known, overNanos);
    }
  }

  boolean isHeard() {
    return heard;
  }

  /** Returns how often the owner has locked it, by its read lock or by its write lock. */
  public int locks(boolean reading) {
    return reading ? reads : count;
  }

  /** Returns how often the owner has locked it, by whichever lock. */
  public int allLocks() {
    return count + reads;
  }

  /** Counts locks and unlocks of the owner. */
  public void addLocks(boolean reading, int times) {
    if (reading) {
      reads += times;
    } else {
      count += times;
    }
  }

  /** Counts the first lock as one of the read lock. */
  public void startReading() {
    count = 0;
    reads = 1;
  }

  /** Counts one more entry of the owner; returns false if it was just ended. */
  public boolean enterAgain() {
    return entries.getAndUpdate(before -> before == 0 ? 0 : before + 1) != 0;
  }

  /** Counts an entry of the owner less. */
  public void leaveOnce() {
    entries.decrementAndGet();
  }

  /** Lets the owner not enter any more, if it has entered only once; returns whether that is so. */
  public boolean endIfEnteredOnce() {
    return entries.compareAndSet(1, 0);
  }

  // ------------------------------------------------------------- its end

  /**
   * Returns whether the owner, which locks again without having unlocked what it lost, is still to
   * be told the loss. That is so once: a thread that never unlocks must not fail for ever.
   */
  public boolean tellsLossToLock() {
    boolean tells = !lossToldToLock;
    lossToldToLock = true;
    return tells;
  }

  /** Returns why it was lost, or null. */
  public @Nullable LeaseLost loss() {
    return loss;
  }

  /** Registers for the loss, which has not come. To be called under the coordinator's mutex. */
  public void addLossListener(Consumer<LeaseLost> listener) {
    if (lossListeners.isEmpty()) {
      lossListeners = new ArrayList<>(1); // mostly there is only one
    }
    lossListeners.add(listener);
  }

  /** Takes out the listeners to its loss. To be called under the coordinator's mutex. */
  public List<Consumer<LeaseLost>> takeLossListeners() {
    List<Consumer<LeaseLost>> all = lossListeners;
    lossListeners = List.of();
    return all;
  }

  /**
   * Returns whether it is as good as at the end that was fixed for it. The store counted from the
   * request, the end is counted from the answer, so the first holder of a grant may be told by the
   * store's time.
   */
  boolean isAtFixedEnd(long nowNanos) {
    long underWayNanos = token == grant.firstToken ? acquiredNanos - grant.sinceNanos : 0;
    return fixed && nowNanos >= endNanos() - underWayNanos - 2 * ClockDrift.margin(leaseNanos);
  }

  void release(long now) {
    leaveHeld(now);
    state = State.RELEASED;
  }

  void lose(LeaseLost news, long now) {
    leaveHeld(now);
    loss = news;
    state = State.LOST;
  }

  private void leaveHeld(long now) {
    if (state != State.HELD) {
      throw new IllegalStateException("a hold cannot leave the state " + state);
    }
    overNanos = now;
  }
}
