package io.lockkeeper.engine;

import io.lockkeeper.LeaseLost;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One holder's time with a resource: what a {@link io.lockkeeper.Lease} and a thread's {@code
 * lock()} stand for.
 */
final class Hold {

  /** Where a hold stands; {@code HELD} is the only state with a way out. */
  enum State {
    HELD,
    RELEASED,
    LOST
  }

  final Tenure tenure;
  final long token;

  /** The thread that owns it, or null if it belongs to whoever has the handle. */
  final @Nullable Thread owner;

  /** The thread that waited for it, if one did; it need not be the owner. */
  final @Nullable Thread acquirer;

  final long leaseNanos;
  final boolean fixed;
  final long acquiredNanos;

  /** When a fixed lease ends by itself. Written under the gate's mutex. */
  volatile long endNanos;

  /** Written under the gate's mutex; the last write of a loss, after {@link #loss}. */
  volatile State state = State.HELD;

  /**
   * Whether its holder knows of it: a thread that waited does, and a callback when it has come to
   * run.
   */
  volatile boolean heard;

  /** How many permits it has. Written under the gate's mutex. */
  volatile int permits;

  /**
   * How often the owner has locked it; for a read-write lock, its write lock. Only the owner
   * touches it.
   */
  int count = 1;

  /**
   * How often the owner has locked the read lock of a read-write lock. Only the owner touches it.
   */
  int reads;

  /**
   * How often the owner has locked it in all, and 0 once somebody else has ended it because that
   * was only once.
   */
  private final AtomicInteger entries = new AtomicInteger(1);

  /** Why it was lost; set before {@link #state} says so. */
  @Nullable LeaseLost loss;

  /** Completed when it is lost; made on demand. Guarded by the gate's mutex. */
  @Nullable CompletableFuture<LeaseLost> lost;

  Hold(Tenure tenure, Waiter waiter, long token, long acquiredNanos, long endNanos) {
    this.tenure = tenure;
    this.token = token;
    this.owner = waiter.owner;
    this.acquirer = waiter.thread;
    this.heard = !waiter.isAsync();
    this.leaseNanos = waiter.leaseNanos;
    this.fixed = waiter.fixed;
    this.permits = waiter.share.permits();
    this.acquiredNanos = acquiredNanos;
    this.endNanos = endNanos;
  }

  /** Counts one more entry of the owner; returns false if it was just ended. */
  boolean enterAgain() {
    return entries.getAndUpdate(before -> before == 0 ? 0 : before + 1) != 0;
  }

  /** Counts an entry of the owner less. */
  void leaveOnce() {
    entries.decrementAndGet();
  }

  /** Lets the owner not enter any more, if it has entered only once; returns whether that is so. */
  boolean endIfEnteredOnce() {
    return entries.compareAndSet(1, 0);
  }

  long validUntilNanos() {
    return Math.min(tenure.validUntilNanos, endNanos);
  }

  boolean isValid(long nowNanos) {
    return state == State.HELD && nowNanos < validUntilNanos();
  }

  /**
   * Returns whether it is as good as at the end that was fixed for it. The store counted from the
   * request, the end is counted from the answer, so the first holder of a grant may be told by the
   * store's time.
   */
  boolean isAtFixedEnd(long nowNanos) {
    long underWayNanos = token == tenure.firstToken ? acquiredNanos - tenure.sinceNanos : 0;
    return fixed && nowNanos >= endNanos - underWayNanos - 2 * Margins.of(leaseNanos);
  }

  void release() {
    leaveHeld();
    state = State.RELEASED;
  }

  void lose(LeaseLost news) {
    leaveHeld();
    loss = news;
    state = State.LOST;
  }

  private void leaveHeld() {
    if (state != State.HELD) {
      throw new IllegalStateException("a hold cannot leave the state " + state);
    }
  }
}
