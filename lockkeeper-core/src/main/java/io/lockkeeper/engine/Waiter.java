package io.lockkeeper.engine;

import io.lockkeeper.spi.Share;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One request of one caller, from the call to the answer. A blocked thread waits for it with {@link
 * Parking}; an asynchronous caller has its future completed.
 *
 * <p>All fields that change are written under the gate's mutex. {@link #state} and {@link #poked}
 * are volatile because the waiting thread reads them without it; whatever else the thread reads, it
 * reads after it has seen the state change.
 */
final class Waiter {

  /** Where a request stands; only {@code WAITING} has a way out. */
  enum State {
    WAITING,
    GRANTED,
    FAILED,
    LEFT
  }

  /** How a request is served. */
  enum Order {
    /** With the client's other requests, through one claim at the store. */
    SHARED,
    /** By a claim of its own that waits in the store's queue. */
    STRICT,
    /** By a claim of its own that is granted at once or not at all. */
    ONCE
  }

  final Order order;
  final @Nullable Thread owner;
  final long leaseNanos;
  final boolean fixed;
  final int localPasses;
  final long idleNanos;
  final long startNanos;
  final long deadlineNanos;
  final Share share;

  /** Who is to be unparked; null for an asynchronous request. */
  final @Nullable Thread thread;

  /** Who is to be told; null for a blocked thread. */
  final @Nullable Promise<?> promise;

  volatile State state = State.WAITING;

  /** Whether the thread was woken to take an open gate and has not looked yet. */
  volatile boolean poked;

  /** How many later requests took the gate while this one was first in line. */
  int bypassed;

  @Nullable Hold hold;
  @Nullable RuntimeException failure;

  /** Its own claim, unless it is served through the shared one. */
  @Nullable Claim claim;

  /** Neighbours in {@link WaiterQueue}. */
  @Nullable Waiter previous;

  @Nullable Waiter next;

  Waiter(
      Order order,
      Terms terms,
      @Nullable Thread owner,
      @Nullable Thread thread,
      @Nullable Promise<?> promise) {
    this.order = order;
    this.owner = owner;
    this.thread = thread;
    this.promise = promise;
    this.leaseNanos = terms.leaseNanos();
    this.fixed = terms.fixed();
    this.localPasses = terms.localPasses();
    this.startNanos = terms.startNanos();
    this.deadlineNanos = terms.deadlineNanos();
    this.share = terms.share();
    this.idleNanos = terms.idleNanos();
  }

  /**
   * What a request asks for.
   *
   * @param leaseNanos how long the lease shall be
   * @param fixed whether it ends after that instead of being renewed
   * @param localPasses how often the lock may pass locally while others wait
   * @param startNanos when the request was made
   * @param deadlineNanos when it gives up, or {@link Margins#NEVER}
   * @param share how much of the resource
   * @param idleNanos how long this client may keep the lock after the release while nobody waits
   */
  record Terms(
      long leaseNanos,
      boolean fixed,
      int localPasses,
      long startNanos,
      long deadlineNanos,
      Share share,
      long idleNanos) {

    /** Asks for a lock. */
    Terms(long leaseNanos, boolean fixed, int localPasses, long startNanos, long deadlineNanos) {
      this(leaseNanos, fixed, localPasses, startNanos, deadlineNanos, Share.EXCLUSIVE, 0);
    }
  }

  boolean isWaiting() {
    return state == State.WAITING;
  }

  boolean isAsync() {
    return thread == null;
  }

  /** Returns the number of the thread that waits, or 0 for an asynchronous request. */
  long threadId() {
    return thread == null ? 0 : thread.getId();
  }

  void wake() {
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  void grant(Hold granted) {
    leaveWaiting();
    hold = granted;
    state = State.GRANTED;
  }

  void fail(RuntimeException cause) {
    leaveWaiting();
    failure = cause;
    state = State.FAILED;
  }

  void leave() {
    leaveWaiting();
    state = State.LEFT;
  }

  private void leaveWaiting() {
    if (state != State.WAITING) {
      throw new IllegalStateException("a request cannot leave the state " + state);
    }
  }
}
