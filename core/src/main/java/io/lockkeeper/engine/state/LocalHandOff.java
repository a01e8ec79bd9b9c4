package io.lockkeeper.engine.state;

import io.lockkeeper.engine.policy.ClockDrift;
import io.lockkeeper.engine.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the requests for one lock that share one claim at the store, and decides which of them a
 * grant serves. What follows from that is done by {@link ResourceState}.
 *
 * <h2>Passing locally</h2>
 *
 * A shared claim at the head of a grant's claims may serve many waiters in a row. It stops when
 * others wait at the store and it has passed {@link Waiter#maxLocalHandoffs} times or {@link
 * #MAX_CONTESTED_NANOS} are over, when the tokens run out, or when the lease is too far gone.
 * Between two local holders it does not hand over to the first waiter at once but leaves the lock
 * <i>open</i> and wakes that waiter: a running thread that asks meanwhile may take it, which saves
 * the price of a context switch. The first in line is passed by at most {@link #MAX_BYPASSES}
 * times, then it is handed the resource.
 *
 * <p>If the last holder asked for that, the lock stays open for a while even though nobody waits
 * here: the grant is <i>idle</i>, and goes back to the store as soon as somebody waits there.
 *
 * <p>The idea of passing a global lock on inside a group is lock cohorting (Dice, Marathe and
 * Shavit, 2012); leaving it open for running threads is what {@code ReentrantLock} does.
 *
 * <p>Not thread-safe: guarded by the coordinator's mutex.
 */
final class LocalHandOff {

  /** How long a shared claim may go on serving local waiters once others wait at the store. */
  static final long MAX_CONTESTED_NANOS = 100_000_000;

  /** How often the first waiter in line may be overtaken by running threads. */
  static final int MAX_BYPASSES = 16;

  private final Policy policy;

  /** Requests that wait to be served through the shared claim. */
  private final WaiterQueue waiters = new WaiterQueue();

  /** The grant that waits for the caller that takes it first, or null. */
  private @Nullable Granted open;

  LocalHandOff(Policy policy) {
    this.policy = policy;
  }

  // ---------------------------------------------------------------- requests

  void add(Waiter waiter) {
    waiters.add(waiter);
  }

  void remove(Waiter waiter) {
    waiters.remove(waiter);
  }

  @Nullable Waiter first() {
    return waiters.first();
  }

  boolean isEmpty() {
    return waiters.isEmpty();
  }

  /** Returns the requests, in order. */
  List<Waiter> waiters() {
    List<Waiter> all = new ArrayList<>();
    for (Waiter waiter = waiters.first(); waiter != null; waiter = waiter.next) {
      all.add(waiter);
    }
    return all;
  }

  // ---------------------------------------------------------------- the open lock

  @Nullable Granted open() {
    return open;
  }

  void open(Granted granted) {
    open = granted;
  }

  void close() {
    open = null;
  }

  /**
   * Takes the open grant for a running caller; returns null if there is none, or none for it.
   *
   * @return the grant, which is not open any more
   */
  @Nullable Granted takeOpen(Waiter waiter, long now) {
    Granted granted = open;
    if (granted == null
        || waiter.order == Waiter.Order.STRICT
        || !granted.grant.isValid(now)
        || !fits(granted.grant, waiter, now)
        || (granted.grant.isIdle() && !mayServe(granted, waiter, now))) {
      return null;
    }
    Waiter first = waiters.first();
    if (first != null && first != waiter) {
      if (first.bypassed >= MAX_BYPASSES) {
        return null;
      }
      first.bypassed++;
    }
    waiters.remove(waiter);
    open = null;
    return granted;
  }

  // ---------------------------------------------------------------- decisions

  /** Returns whether the first waiter is handed a grant, which is not left open for others. */
  boolean isHanded(CurrentGrant grant, Waiter first) {
    return !grant.sharedServed || first.isAsync() || first.bypassed >= MAX_BYPASSES;
  }

  /** Returns whether a grant may serve one more local waiter through its shared claim. */
  boolean mayServe(Granted granted, Waiter first, long now) {
    CurrentGrant grant = granted.grant;
    if (!fits(grant, first, now)) {
      return false;
    }
    if (!grant.sharedServed) {
      return true;
    }
    boolean uncontested =
        !grant.othersWait
            || (grant.passes < first.maxLocalHandoffs
                && now - grant.contestedSinceNanos < MAX_CONTESTED_NANOS);
    long enoughNanos = Math.min(first.leaseNanos / 3, 2 * policy.confirmAfterNanos());
    return uncontested
        && first.maxLocalHandoffs > 0
        && granted.hasSpareToken()
        && grant.validUntilNanos() - now >= enoughNanos;
  }

  /**
   * Returns whether a grant that nobody wants may be kept: if its last holder asked for that, and
   * not for longer than a crash is allowed to cost.
   */
  boolean mayIdle(Granted granted, long now) {
    CurrentGrant grant = granted.grant;
    return grant.idleNanos > 0
        && !grant.othersWait
        && waiters.isEmpty()
        && granted.unserved.size() == 1
        && granted.hasSpareToken()
        && grant.validUntilNanos() - now <= grant.idleNanos;
  }

  /**
   * Returns whether a grant is not longer than what a request asks for: if its holder crashes, the
   * others must not wait for longer than its own lease. A store never shortens a lease, because a
   * request to do so that comes late could shorten what has been lengthened since.
   */
  private static boolean fits(CurrentGrant grant, Waiter waiter, long now) {
    long wantedUntil = ClockDrift.validUntil(now, waiter.leaseNanos);
    return grant.validUntilNanos() <= wantedUntil + 2 * ClockDrift.margin(waiter.leaseNanos);
  }
}
