package io.lockkeeper.engine.state;

import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.spi.Share;
import org.jspecify.annotations.Nullable;

/**
 * Represents one request of one caller, from the call to the answer. A blocked thread waits for it;
 * an asynchronous caller is notified by its {@link GrantListener}.
 *
 * <p>All fields that change are written under the coordinator's mutex. {@link #state} and {@link
 * #signalled} are volatile because the waiting thread reads them without it; whatever else the
 * thread reads, it reads after it has seen the state change.
 */
public final class Waiter {

  /** Where a request stands; only {@code WAITING} and {@code LEAVING} have a way out. */
  public enum State {
    WAITING,
    /** It does not want to wait any more, and the store is asked to take its claim back. */
    LEAVING,
    GRANTED,
    FAILED,
    LEFT
  }

  /** How a request is served. */
  public enum Order {
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
  final int maxLocalHandoffs;
  final long idleNanos;
  final long startNanos;
  final long deadlineNanos;
  final Share share;

  /** The thread to unpark; null for an asynchronous request. */
  final @Nullable Thread thread;

  /** Notified of the result; null for a blocked thread. */
  private final @Nullable GrantListener listener;

  volatile State state = State.WAITING;

  /** Whether the thread was woken to take an open resource and has not tried yet. */
  volatile boolean signalled;

  /** While it is leaving: until when it waits for the store's answer to that. */
  volatile long leavesByNanos;

  /** How many later requests took the resource while this one was first in line. */
  int bypassed;

  @Nullable Hold hold;
  @Nullable RuntimeException failure;

  /** The thread of this client that held the resource when it gave up, if one did. */
  @Nullable Thread holder;

  /** Why the store had not answered last when its time was over, or null if it had. */
  @Nullable Throwable lastFailure;

  /** The number of its own claim, or 0 while it has none: it may be served by the shared one. */
  private long claim;

  /** Neighbours in {@link WaiterQueue}. */
  @Nullable Waiter previous;

  @Nullable Waiter next;

  /**
   * Creates one.
   *
   * @param owner the thread that will own the hold, or null for none
   * @param thread who waits, or null for an asynchronous request
   * @param listener is notified of the end of an asynchronous request; null for a thread
   */
  public Waiter(
      Order order,
      Terms terms,
      @Nullable Thread owner,
      @Nullable Thread thread,
      @Nullable GrantListener listener) {
    this.order = order;
    this.owner = owner;
    this.thread = thread;
    this.listener = listener;
    this.leaseNanos = terms.leaseNanos();
    this.fixed = terms.fixed();
    this.maxLocalHandoffs = terms.maxLocalHandoffs();
    this.startNanos = terms.startNanos();
    this.deadlineNanos = terms.deadlineNanos();
    this.share = terms.share();
    this.idleNanos = terms.idleNanos();
  }

  /**
   * The terms of a request.
   *
   * @param leaseNanos how long the lease shall be
   * @param fixed whether it ends after that instead of being renewed
   * @param maxLocalHandoffs how often the lock may pass locally while others wait
   * @param startNanos when the request was made
   * @param deadlineNanos when it gives up, or {@link Instants#NEVER}
   * @param share how much of the resource
   * @param idleNanos how long this client may keep the lock after the release while nobody waits
   */
  public record Terms(
      long leaseNanos,
      boolean fixed,
      int maxLocalHandoffs,
      long startNanos,
      long deadlineNanos,
      Share share,
      long idleNanos) {

    /** Asks for a lock. */
    public Terms(
        long leaseNanos, boolean fixed, int maxLocalHandoffs, long startNanos, long deadlineNanos) {
      this(leaseNanos, fixed, maxLocalHandoffs, startNanos, deadlineNanos, Share.EXCLUSIVE, 0);
    }
  }

  /** Returns where it stands. */
  public State state() {
    return state;
  }

  /** Returns whether it still wants to be granted. */
  public boolean isWaiting() {
    return state == State.WAITING;
  }

  /** Returns whether it waits no more, but for the store's answer to that. */
  public boolean isLeaving() {
    return state == State.LEAVING;
  }

  /** Returns whether it was granted, has failed or has left. */
  public boolean isOver() {
    return !isWaiting() && !isLeaving();
  }

  /** Returns until when it waits for the store's answer while it is leaving. */
  public long leavesByNanos() {
    return leavesByNanos;
  }

  /** Returns whether no thread waits. */
  public boolean isAsync() {
    return thread == null;
  }

  /** Returns the thread that waits, or null for an asynchronous request. */
  public @Nullable Thread thread() {
    return thread;
  }

  /** Returns what is notified of the end of an asynchronous request; null for a thread. */
  public @Nullable GrantListener listener() {
    return listener;
  }

  /** Returns how much of the resource it wants. */
  public Share share() {
    return share;
  }

  /** Returns when it was made. */
  public long startNanos() {
    return startNanos;
  }

  /** Returns when it gives up, or {@link Instants#NEVER}. */
  public long deadlineNanos() {
    return deadlineNanos;
  }

  /** Returns what it was granted, or null. To be asked when it is known to be over. */
  public @Nullable Hold hold() {
    return hold;
  }

  /** Returns why it failed, or null. To be asked when it is known to be over. */
  public @Nullable RuntimeException failure() {
    return failure;
  }

  /** Returns why the store had not answered last when its time was over, or null if it had. */
  public @Nullable Throwable lastFailure() {
    return lastFailure;
  }

  /** Returns whether its thread was woken to take an open resource and has not tried yet. */
  public boolean isSignalled() {
    return signalled;
  }

  /** Notes that its thread tries to take an open resource. */
  public void clearSignal() {
    signalled = false;
  }

  /** Returns the number of its own claim, or 0 while it has none. */
  public long claim() {
    return claim;
  }

  /** Returns whether it waits for what another request of this client claims, or hands off. */
  public boolean isShared() {
    return claim == 0;
  }

  boolean hasClaim() {
    return claim != 0;
  }

  void claimedBy(long number) {
    claim = number;
  }

  /** Returns a hold for it. */
  Hold makeHold(CurrentGrant grant, long token, long now, long endNanos) {
    return new Hold(grant, owner, thread, token, leaseNanos, fixed, share.permits(), now, endNanos);
  }

  /** Returns the number of the thread that waits, or 0 for an asynchronous request. */
  public long threadId() {
    return thread == null ? 0 : thread.getId();
  }

  void grant(Hold granted) {
    checkNotOver();
    hold = granted;
    state = State.GRANTED;
  }

  void fail(RuntimeException cause) {
    checkNotOver();
    failure = cause;
    state = State.FAILED;
  }

  void beginToLeave(long byNanos) {
    checkNotOver();
    leavesByNanos = byNanos; // before the state, which its thread looks at first
    state = State.LEAVING;
  }

  void leave() {
    checkNotOver();
    state = State.LEFT;
  }

  private void checkNotOver() {
    if (isOver()) {
      throw new IllegalStateException("a request cannot leave the state " + state);
    }
  }
}
