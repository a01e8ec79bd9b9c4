package io.lockkeeper.engine.state;

import io.lockkeeper.LeaseLost.Reason;
import io.lockkeeper.LockObserver.Via;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.engine.policy.ClockDrift;
import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.engine.policy.Policy;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shares out one lock among the callers of one client.
 *
 * <h2>The picture</h2>
 *
 * <pre>
 *   callers ---> shared (a queue of Waiters) --.                 .-- batch: claim, claim, ...
 *                                               |--> Claims ==> CurrentGrant --> Hold --> a caller
 *   callers ---> strict (one Claim each) ------'     (store)     (a grant)
 * </pre>
 *
 * <p>Requests for throughput ({@link Waiter.Order#SHARED}) queue here and are represented at the
 * store by <i>one</i> claim, the shared one. Strict requests each have a claim of their own in the
 * store's queue. The store answers with a grant for a batch of claims; it becomes the {@link
 * CurrentGrant}. While there is a grant, {@link #advance} looks for the next local holder in the
 * order of the batch, and when the batch is served gives the grant back to the store.
 *
 * <h2>Passing locally</h2>
 *
 * A shared claim at the head of the batch may serve many waiters in a row. It stops when others
 * wait at the store and it has passed {@link Waiter#maxLocalHandoffs} times or {@link
 * #MAX_CONTESTED_NANOS} are over, when the tokens run out, or when the lease is too far gone.
 * Between two local holders it does not hand over to the first waiter at once but leaves the lock
 * <i>open</i> and wakes that waiter: a running thread that asks meanwhile may take it, which saves
 * the price of a context switch. The first in line is passed by at most {@link #MAX_BYPASSES}
 * times, then it is handed the resource.
 *
 * <p>If the last holder asked for that, the lock stays open for a while even though nobody waits
 * here: the grant is <i>idle</i>, and goes back to the store as soon as somebody waits there.
 *
 * <p>This file is long because how one lock is shared out is one rule over one set of fields.
 *
 * <p>The idea of passing a global lock on inside a group is lock cohorting (Dice, Marathe and
 * Shavit, 2012); leaving it open for running threads is what {@code ReentrantLock} does.
 */
public final class ExclusiveState extends ResourceState {

  /** How long a shared claim may go on serving local waiters once others wait at the store. */
  static final long MAX_CONTESTED_NANOS = 100_000_000;

  /** How often the first waiter in line may be overtaken by running threads. */
  static final int MAX_BYPASSES = 16;

  /** Requests that wait to be served through the shared claim. */
  private final WaiterQueue shared = new WaiterQueue();

  private @Nullable CurrentGrant currentGrant;

  /**
   * The claims of the current grant that are still to be served, in the store's order; the shared
   * one stays first while it is served. Empty without a grant.
   */
  private final ArrayDeque<Claim> batch = new ArrayDeque<>();

  /** The current holder. Volatile: read without the mutex by the thread that may own it. */
  private volatile @Nullable Hold hold;

  /** Whether the grant waits for whichever caller takes it first. */
  private boolean open;

  /** Creates the state of a lock. */
  public ExclusiveState(ResourceId resource, Policy policy, Effects effects, long now) {
    super(resource, policy, effects, false, now);
  }

  // ---------------------------------------------------------------- callers

  @Nullable Hold hold() {
    return hold;
  }

  @Nullable CurrentGrant currentGrant() {
    return currentGrant;
  }

  @Override
  public @Nullable Hold holdOf(Thread thread) {
    Hold current = hold;
    return current != null && current.owner == thread ? current : null;
  }

  @Override
  @Nullable Thread holderHere() {
    Hold current = hold;
    return current == null ? null : current.acquirer();
  }

  @Override
  public boolean isHeld(long now) {
    Hold current = hold;
    return current != null && current.isValid(now);
  }

  @Override
  public boolean takeIfOpen(Waiter waiter, long now) {
    CurrentGrant current = currentGrant;
    if (!open
        || current == null
        || waiter.order == Waiter.Order.STRICT
        || !current.isValid(now)
        || !fits(current, waiter, now)
        || (current.isIdle() && !mayServe(current, waiter, now))) {
      return false;
    }
    Waiter first = shared.first();
    if (first != null && first != waiter) {
      if (first.bypassed >= MAX_BYPASSES) {
        return false;
      }
      first.bypassed++;
    }
    shared.remove(waiter);
    boolean wasIdle = current.isIdle();
    if (wasIdle) {
      effects.reached(Transition.GRANT_IDLE_TAKEN);
    }
    open = false;
    current.idleUntilNanos = Instants.NEVER;
    grantTo(waiter, current, now, -1, wasIdle);
    return true;
  }

  @Override
  public void enter(Waiter waiter, long now) {
    if (takeIfOpen(waiter, now)) {
      return;
    }
    endIdling(now); // not for this one
    switch (waiter.order) {
      case SHARED -> {
        shared.add(waiter);
        ensureSharedClaim(now);
      }
      case STRICT -> pending.sendOwn(waiter, now);
      case ONCE -> {
        if (currentGrant == null && shared.isEmpty() && !pending.hasClaims()) {
          pending.sendOwn(waiter, now);
        } else {
          effects.reached(Transition.REQUEST_REFUSED_AS_TAKEN_HERE);
          giveUp(waiter, now); // another thread of this client has it or is about to
        }
      }
    }
    noteDeadline(waiter);
  }

  @Override
  @Nullable PendingRelease takeOut(Waiter waiter, long now) {
    touch(now);
    if (waiter.hasClaim()) {
      Claim own = pending.find(waiter.claim());
      // Without it, its claim is in the batch, and advance() skips it.
      return own == null ? null : pending.withdraw(own, now);
    }
    shared.remove(waiter);
    if (open) {
      advance(now);
    }
    Claim claim = pending.sharedClaim();
    return shared.isEmpty() && claim != null ? pending.withdraw(claim, now) : null;
  }

  @Override
  boolean timedOutInSilence(Waiter waiter, long now) {
    return currentGrant == null
        && isSilent(waiter.hasClaim() ? pending.find(waiter.claim()) : pending.sharedClaim(), now);
  }

  @Override
  public void release(Hold released, long now) {
    leaveHeld(released, now);
    hold = null;
    advance(now);
  }

  @Override
  public void rest(Hold released, long restNanos, Completion known, long now) {
    leaveHeld(released, now);
    hold = null;
    CurrentGrant done = released.grant;
    effects.reached(Transition.GRANT_GIVEN_BACK_TO_REST);
    List<Claim> unserved = leaveGrant(now);
    PendingRelease resting = PendingRelease.rest(done, now, now + restNanos);
    resting.addListener(known);
    releases.release(resting, null);
    askAgain(unserved, now);
  }

  @Override
  void vacated(Hold lost, long now) {
    advance(now);
  }

  // ---------------------------------------------------------------- claims

  private void ensureSharedClaim(long now) {
    Waiter first = shared.first();
    boolean represented = pending.sharedClaim() != null || runHasShared();
    if (first != null && !represented) {
      effects.claim(pending.makeShared(first, now));
    }
  }

  @Override
  void failClaim(Claim claim, RuntimeException cause, long now) {
    boolean forAll = claim == pending.sharedClaim();
    super.failClaim(claim, cause, now);
    if (forAll) {
      failShared(cause, now);
    }
  }

  private void failShared(RuntimeException cause, long now) {
    for (Waiter waiter = shared.first(); waiter != null; waiter = shared.first()) {
      shared.remove(waiter);
      fail(waiter, cause, now);
    }
  }

  // ---------------------------------------------------------------- grant

  @Override
  void granted(Grant grant, long sinceNanos, long now) {
    CurrentGrant current = currentGrant;
    if (current != null) {
      if (current.number == grant.grant() || grant.firstToken() <= current.firstToken) {
        return; // heard twice, or late
      }
      effects.reached(Transition.GRANT_REPLACED);
      endGrant(current, Reason.NOT_AT_STORE, now);
    }
    CurrentGrant fresh = new CurrentGrant(grant, sinceNanos, now);
    for (long number : grant.claims()) {
      Claim claim = pending.find(number);
      if (claim != null) {
        pending.remove(claim);
        batch.add(claim);
      }
    }
    begin(fresh, now);
  }

  @Override
  boolean isCurrent(long grant) {
    return currentGrant != null && currentGrant.number == grant;
  }

  @Override
  boolean isCurrent(CurrentGrant asked) {
    return currentGrant == asked;
  }

  private void begin(CurrentGrant fresh, long now) {
    currentGrant = fresh;
    fresh.othersWait |= !policy.hearsOthers();
    Claim first = batch.peekFirst();
    fresh.isNamedByRenewals = first == null || batch.size() > 1 || first.request.label().isEmpty();
    fresh.leaseNanos = first == null ? 0 : first.request.leaseMillis() * 1_000_000;
    if (!fresh.confirmed) {
      fresh.ready = maySupposeConfirmed(fresh, now);
      fresh.renewNanos = fresh.ready ? now + policy.confirmAfterNanos() : now;
    }
    advance(now);
  }

  /** Finds the next holder for a grant that has none, or gives the grant back. */
  private void advance(long now) {
    CurrentGrant current = currentGrant;
    if (current == null || !current.ready || hold != null) {
      return;
    }
    open = false;
    if (!current.isValid(now)) {
      endGrant(current, Reason.EXPIRED, now);
      return;
    }
    for (Claim claim = batch.peekFirst(); claim != null; claim = batch.peekFirst()) {
      Waiter own = claim.waiter;
      if (own == null) {
        if (serveShared(current, now) || mayIdle(current, now)) {
          return;
        }
        batch.removeFirst();
        if (!batch.isEmpty()) {
          ensureSharedClaim(now);
        }
      } else {
        batch.removeFirst();
        if (own.isWaiting()) {
          grantTo(own, current, now, claim.arrival, false);
          return;
        }
      }
    }
    giveBack(current, now);
  }

  /**
   * Serves the first shared waiter, or leaves the lock open for it; returns false if it may not.
   */
  private boolean serveShared(CurrentGrant current, long now) {
    Waiter first = shared.first();
    if (first == null || !mayServe(current, first, now)) {
      return false;
    }
    if (!current.sharedServed || first.isAsync() || first.bypassed >= MAX_BYPASSES) {
      shared.remove(first);
      grantTo(first, current, now, -1, false);
    } else {
      open = true;
      if (!first.signalled) {
        first.signalled = true;
        effects.wake(first);
      }
    }
    return true;
  }

  /** Returns whether one of the claims still to be served is the shared one. */
  private boolean runHasShared() {
    for (Claim claim : batch) {
      if (claim.isShared()) {
        return true;
      }
    }
    return false;
  }

  @Override
  @Nullable Claim grantedClaim(long number) {
    for (Claim claim : batch) {
      if (claim.number() == number) {
        return claim;
      }
    }
    return null;
  }

  /**
   * Keeps a grant that nobody wants, if its last holder asked for that; returns false if it may not
   * be kept, or not for longer than a crash is allowed to cost.
   */
  private boolean mayIdle(CurrentGrant current, long now) {
    boolean idles =
        current.idleNanos > 0
            && !current.othersWait
            && shared.isEmpty()
            && batch.size() == 1
            && current.hasSpareToken(batch.size())
            && current.validUntilNanos() - now <= current.idleNanos;
    if (idles) {
      open = true;
      if (!current.isIdle()) {
        effects.reached(Transition.GRANT_IDLE);
        current.idleUntilNanos = now + current.idleNanos;
      }
    }
    return idles;
  }

  /** Gives a grant back that is idle. */
  private void endIdling(long now) {
    CurrentGrant current = currentGrant;
    if (current != null && current.isIdle()) {
      effects.reached(Transition.GRANT_IDLE_ENDED);
      giveBack(current, now);
    }
  }

  /**
   * Returns whether a grant is not longer than what a request asks for: if its holder crashes, the
   * others must not wait for longer than its own lease. A store never shortens a lease, because a
   * request to do so that comes late could shorten what has been lengthened since.
   */
  private static boolean fits(CurrentGrant current, Waiter waiter, long now) {
    long wantedUntil = ClockDrift.validUntil(now, waiter.leaseNanos);
    return current.validUntilNanos() <= wantedUntil + 2 * ClockDrift.margin(waiter.leaseNanos);
  }

  private boolean mayServe(CurrentGrant current, Waiter first, long now) {
    if (!fits(current, first, now)) {
      return false;
    }
    if (!current.sharedServed) {
      return true;
    }
    boolean uncontested =
        !current.othersWait
            || (current.passes < first.maxLocalHandoffs
                && now - current.contestedSinceNanos < MAX_CONTESTED_NANOS);
    long enoughNanos = Math.min(first.leaseNanos / 3, 2 * policy.confirmAfterNanos());
    return uncontested
        && first.maxLocalHandoffs > 0
        && current.hasSpareToken(batch.size())
        && current.validUntilNanos() - now >= enoughNanos;
  }

  private void grantTo(
      Waiter waiter, CurrentGrant current, long now, long arrival, boolean wasIdle) {
    boolean passed = false;
    if (!waiter.hasClaim()) {
      passed = current.sharedServed;
      current.passes += passed ? 1 : 0;
      current.sharedServed = true;
      current.idleNanos = waiter.idleNanos;
    }
    Hold fresh = hold(waiter, current, now);
    if (passed) {
      fresh.cameVia(wasIdle ? Via.RETAINED : Via.HAND_OFF);
    }
    hold = fresh;
    settle(waiter, fresh, arrival, passed, now);
  }

  private void giveBack(CurrentGrant done, long now) {
    leaveGrant(now);
    Waiter first = shared.first();
    boolean requeue = first != null && pending.sharedClaim() == null;
    effects.reached(requeue ? Transition.GRANT_GIVEN_BACK_WITH_CLAIM : Transition.GRANT_GIVEN_BACK);
    releases.release(
        PendingRelease.release(done, now),
        requeue && first != null ? pending.makeShared(first, now) : null);
  }

  @Override
  void endGrant(CurrentGrant lost, Reason reason, long now) {
    if (currentGrant != lost) {
      return;
    }
    List<Claim> unserved = leaveGrant(now);
    Hold holder = hold;
    ended(reason, holder != null);
    if (holder != null) {
      loseHold(holder, reason, now);
    }
    if (reason != Reason.NOT_AT_STORE) {
      releases.release(PendingRelease.release(lost, now), null);
    }
    askAgain(unserved, now);
  }

  /** Leaves the current grant, and returns the claims of its batch that were not served. */
  private List<Claim> leaveGrant(long now) {
    List<Claim> unserved = List.copyOf(batch);
    currentGrant = null;
    batch.clear();
    open = false;
    touch(now);
    return unserved;
  }

  /** Claims anew for who waits for a grant that has gone. */
  private void askAgain(List<Claim> unserved, long now) {
    for (Claim claim : unserved) {
      if (claim.waiter != null && claim.waiter.isWaiting()) {
        effects.reached(Transition.GRANT_UNSERVED_CLAIM_AGAIN);
        pending.sendOwn(claim.waiter, now);
      }
    }
    ensureSharedClaim(now);
  }

  @Override
  void forget(Hold holder) {
    hold = null;
  }

  // ---------------------------------------------------------------- answers and notifications

  @Override
  @Nullable Hold holder(CurrentGrant grant) {
    return hold;
  }

  @Override
  void extended(CurrentGrant renewed, boolean othersWait, long now) {
    if (othersWait) {
      contended(now);
    } else {
      renewed.othersWait = !policy.hearsOthers(); // others may wait without a word
    }
    if (currentGrant == renewed
        && (!renewed.ready || open)) { // it may be too long now for the waiter it is open to
      renewed.ready = true;
      advance(now);
    }
  }

  @Override
  public void contended(long now) {
    effects.reached(Transition.NOTIFICATION_WANTED);
    CurrentGrant current = currentGrant;
    if (current != null && !current.othersWait) {
      current.othersWait = true;
      current.passes = 0;
      current.contestedSinceNanos = now;
      endIdling(now);
    }
  }

  @Override
  public void revoked(long now) {
    effects.reached(Transition.NOTIFICATION_REVOKED);
    if (currentGrant != null) {
      currentGrant.renewNanos = now;
    }
  }

  @Override
  public void reconnected(long now) {
    super.reconnected(now);
    if (currentGrant != null && currentGrant.renewNanos != Instants.NEVER) {
      currentGrant.renewNanos = now;
    }
  }

  // ---------------------------------------------------------------- time

  @Override
  public void tick(long now, DueRequests due) {
    Hold holder = hold;
    CurrentGrant current = currentGrant;
    if (holder != null) {
      expire(holder, now);
      if (loseIfOrphaned(holder, now)) {
        advance(now);
      }
    } else if (current != null && !current.isValid(now)) {
      endGrant(current, Reason.EXPIRED, now);
    } else if (current != null && now >= current.idleUntilNanos) {
      endIdling(now);
    }
    renewIfDue(now, due);
    super.tick(now, due);
  }

  private void renewIfDue(long now, DueRequests due) {
    CurrentGrant current = currentGrant;
    RenewRequest request = current == null ? null : renewals.takeIfDue(current, hold, now);
    if (current != null && request != null) {
      due.renew(current, request);
    }
  }

  @Override
  public boolean isAwaited() {
    return super.isAwaited() || !shared.isEmpty();
  }

  @Override
  public List<Hold> holds() {
    Hold current = hold;
    return current == null ? List.of() : List.of(current);
  }

  @Override
  public List<Waiter> waiters() {
    List<Waiter> waiters = new ArrayList<>();
    for (Waiter waiter = shared.first(); waiter != null; waiter = waiter.next) {
      waiters.add(waiter);
    }
    List<Claim> claims = pending.claims();
    claims.addAll(batch);
    for (Claim claim : claims) {
      if (claim.waiter != null) {
        waiters.add(claim.waiter);
      }
    }
    return waiters;
  }

  @Override
  long grantsDueNanos() {
    long due = Instants.NEVER;
    CurrentGrant current = currentGrant;
    if (current != null) {
      due = Math.min(current.validUntilNanos(), current.renewDueNanos());
      due = Math.min(due, current.idleUntilNanos);
    }
    Hold holder = hold;
    return holder == null ? due : Math.min(due, holder.endNanos());
  }

  @Override
  boolean isIdle() {
    return currentGrant == null && shared.isEmpty() && isNothingPending();
  }

  @Override
  void closeGrants(LockkeeperClosedException closed, long now) {
    failShared(closed, now);
    CurrentGrant current = currentGrant;
    if (current != null) {
      for (Claim unserved : batch) {
        if (unserved.waiter != null) {
          fail(unserved.waiter, closed, now);
        }
      }
      endGrant(current, Reason.CLIENT_CLOSED, now);
    }
  }

  @Override
  public boolean isSound() {
    CurrentGrant current = currentGrant;
    Hold holder = hold;
    if (holder != null && (current != holder.grant || holder.state != Hold.State.HELD || open)) {
      throw new AssertionError("a hold outside its grant, in state " + holder.state);
    }
    if (open && (current == null || shared.isEmpty() != current.isIdle())) {
      throw new AssertionError("open without anybody to take it");
    }
    if (current == null && !batch.isEmpty()) {
      throw new AssertionError("claims to be served without a grant");
    }
    if (current != null && holder == null && !open && current.ready) {
      throw new AssertionError("a grant that serves nobody");
    }
    if (!shared.isEmpty() && pending.sharedClaim() == null && !runHasShared()) {
      throw new AssertionError("shared waiters without a claim");
    }
    return true;
  }
}
