package io.lockkeeper.engine.state;

import io.lockkeeper.LeaseLost.Reason;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.engine.policy.Policy;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one client's part in a resource that has several holders at a time: a read-write lock, a
 * semaphore or a barrier.
 *
 * <pre>
 *   callers ---> one Claim each ==> one CurrentGrant each --> its Hold --> its caller
 *                          (store)
 * </pre>
 *
 * <p>Every request has a claim of its own, and every grant has a lease of its own, because each
 * holder must be able to die alone. So nothing passes from one holder to another inside the client,
 * and the store decides which request is next.
 *
 * <p>A hold may shrink ({@link #shrink}): a writer becomes a reader, a part of several permits is
 * given back. The holder goes on at once. A request, which goes out in its turn, tells the store,
 * so that what this client asks for later finds the part free; if that is not answered, each
 * renewal says it again until one is.
 *
 * <p>This file is long because all of it works on the same table of grants.
 *
 * <p>A grant of a barrier is only the news that all have come. It is given back as soon as it is
 * heard; its lease does not matter. If its claim was sent more than once, the claim is taken back
 * with it, because a copy that comes later would count as a member of the next group.
 */
public final class SharedState extends ResourceState {

  /**
   * By how much later than its client the store may end a permit of fixed length. Either counts
   * from its own moment, which a busy machine may have far apart.
   */
  private static final long MAX_LATER_AT_STORE_NANOS = 1_000_000_000;

  /** Longer than any answer or notification is under way. */
  private static final long LATE_NEWS_NANOS = 60_000_000_000L;

  /** The time that a request wants which is only to give back a part: the store shortens none. */
  private static final long NO_MORE_MILLIS = 1;

  private final ResourceKind kind;

  /** The grants of the store, by number. */
  private final Map<Long, Granted> grants = new HashMap<>();

  /**
   * Until when to remember each permit of fixed length that was left to end at the store, by its
   * grant's number, the oldest first. A late answer or notification must not release it as
   * nobody's.
   */
  private final Map<Long, Long> leftToEnd = new LinkedHashMap<>();

  /** The holds of threads; read without the mutex by the thread that asks for its own. */
  private final ConcurrentHashMap<Thread, Hold> owned = new ConcurrentHashMap<>();

  /** A lower bound for when something is due about any grant. */
  private long grantsDueNanos = Instants.NEVER;

  /** A grant and what it is for: until it may be served its claim, then its hold. */
  private static final class Granted {

    final CurrentGrant grant;
    @Nullable Claim claim;
    @Nullable Hold hold;

    Granted(CurrentGrant grant, Claim claim) {
      this.grant = grant;
      this.claim = claim;
    }

    long dueNanos() {
      long due = Math.min(grant.validUntilNanos(), grant.renewDueNanos());
      return hold == null ? due : Math.min(due, hold.endNanos());
    }
  }

  /** Creates the state of anything that is no lock. */
  public SharedState(ResourceId resource, Policy policy, Effects effects, long now) {
    super(resource, policy, effects, true, now);
    this.kind = resource.kind();
  }

  // ---------------------------------------------------------------- callers

  @Override
  public @Nullable Hold holdOf(Thread thread) {
    return owned.get(thread);
  }

  @Override
  public boolean isHeld(long now) {
    for (Hold hold : owned.values()) {
      if (hold.isValid(now)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void enter(Waiter waiter, long now) {
    pending.sendOwn(waiter, now);
    noteDeadline(waiter);
  }

  @Override
  @Nullable PendingRelease takeOut(Waiter waiter, long now) {
    touch(now);
    Claim own = pending.find(waiter.claim());
    // Without it, there is a grant that is not ready, and serve() gives that back.
    return own == null ? null : pending.withdraw(own, now);
  }

  @Override
  boolean timedOutInSilence(Waiter waiter, long now) {
    return isSilent(pending.find(waiter.claim()), now);
  }

  @Override
  public void release(Hold released, long now) {
    leaveHeld(released, now);
    forget(released);
    giveBack(released.grant, now);
  }

  private void giveBack(CurrentGrant done, long now) {
    effects.reached(Transition.GRANT_GIVEN_BACK);
    remove(done, now);
    releases.release(PendingRelease.release(done, now), null);
  }

  @Override
  public void shrink(Hold hold, int permits, long now) {
    effects.reached(Transition.HOLD_SHRUNK);
    hold.permits = permits;
    CurrentGrant grant = hold.grant;
    grant.keptPermits = permits;
    effects.shrink(
        grant, new RenewRequest(pending.resource(), null, grant.number, NO_MORE_MILLIS, permits));
  }

  /** Ignores an answer that did not come: the next renewal repeats the request. */
  @Override
  public void shrinkAnswered(
      CurrentGrant grant, RenewRequest request, Outcome<RenewAnswer> outcome, long now) {
    if (!isCurrent(grant)) {
      return;
    }
    if (!(outcome instanceof Outcome.Answered<RenewAnswer> answered)) {
      if (outcome instanceof Outcome.Unknown<RenewAnswer> unknown) {
        pending.silent(unknown.cause(), now);
      }
      effects.reached(Transition.SHRINK_UNKNOWN);
      grant.renewNanos =
          Math.min(grant.renewNanos, now + policy.renewRetryNanos(grant.validUntilNanos()));
      plan(grant);
      return;
    }
    pending.heard();
    if (answered.answer().renewed()) {
      renewals.shrunk(grant, request);
    } else {
      endGrant(grant, grant.isValid(now) ? Reason.NOT_AT_STORE : Reason.EXPIRED, now);
    }
  }

  @Override
  @Nullable Claim grantedClaim(long number) {
    Granted granted = grants.get(number);
    return granted == null ? null : granted.claim;
  }

  @Override
  public boolean awaitConfirmation(CurrentGrant grant, Completion listener) {
    if (!isCurrent(grant)) {
      return super.awaitConfirmation(grant, listener);
    }
    if (grant.keptPermits == 0) {
      return false;
    }
    grant.addShrinkListener(listener);
    return true;
  }

  /** Takes a grant out that is over. */
  private void remove(CurrentGrant over, long now) {
    grants.remove(over.number);
    renewals.settleShrinking(over);
    touch(now);
  }

  @Override
  void vacated(Hold lost, long now) {
    if (endsByItself(lost, now)) {
      remove(lost.grant, now);
      leaveToEnd(lost.grant, now);
    } else {
      giveBack(lost.grant, now);
    }
  }

  /**
   * Returns whether the store ends a permit at about the same time as this client. Such a permit is
   * not given back: by its id, another client may have renewed it.
   */
  private boolean endsByItself(@Nullable Hold lost, long now) {
    return kind == ResourceKind.SEMAPHORE
        && lost != null
        && lost.fixed
        && lost.grant.validUntilNanos() <= now + MAX_LATER_AT_STORE_NANOS;
  }

  private void leaveToEnd(CurrentGrant left, long now) {
    leftToEnd.put(left.number, now + LATE_NEWS_NANOS);
    grantsDueNanos = Math.min(grantsDueNanos, now + LATE_NEWS_NANOS);
  }

  private void forgetWhatIsLeft(long now) {
    Iterator<Long> oldestFirst = leftToEnd.values().iterator();
    while (oldestFirst.hasNext()) {
      long untilNanos = oldestFirst.next();
      if (untilNanos > now) {
        grantsDueNanos = Math.min(grantsDueNanos, untilNanos);
        return;
      }
      oldestFirst.remove();
      touch(now);
    }
  }

  @Override
  boolean isLeftToEnd(long grant) {
    return leftToEnd.containsKey(grant);
  }

  @Override
  public void renew(Hold hold, ManualRenewal wish, long now) {
    super.renew(hold, wish, now);
    plan(hold.grant);
  }

  @Override
  public @Nullable Hold holdBy(long grant) {
    Granted granted = grants.get(grant);
    return granted == null ? null : granted.hold;
  }

  // ---------------------------------------------------------------- grants

  @Override
  void granted(Grant grant, long sinceNanos, long now) {
    Claim claim = pending.find(grant.grant());
    if (claim == null || isCurrent(grant.grant())) {
      return; // heard twice
    }
    pending.remove(claim);
    CurrentGrant fresh = new CurrentGrant(grant, sinceNanos, now);
    if (kind == ResourceKind.BARRIER) {
      pass(claim, fresh, now);
      return;
    }
    fresh.leaseNanos = claim.request.leaseMillis() * 1_000_000;
    if (!fresh.confirmed) {
      fresh.ready = maySupposeConfirmed(fresh, now);
      fresh.renewNanos = fresh.ready ? now + policy.confirmAfterNanos() : now;
    }
    Granted granted = new Granted(fresh, claim);
    grants.put(fresh.number, granted);
    if (fresh.ready) {
      serve(granted, now);
    } else {
      plan(fresh);
    }
  }

  /** Lets a member of a barrier go on, and tells the store that it has heard. */
  private void pass(Claim claim, CurrentGrant passed, long now) {
    Waiter waiter = claim.waiter;
    if (waiter != null && waiter.isWaiting()) {
      effects.reached(
          claim.doubtful ? Transition.BARRIER_PASSED_IN_DOUBT : Transition.BARRIER_PASSED);
      passed(waiter, passed, claim.arrival, now);
    }
    touch(now);
    if (claim.doubtful) {
      pending.takeBack(claim, now);
    } else {
      releases.release(PendingRelease.release(passed, now), null);
    }
  }

  /** Makes a holder of the request that a grant was granted for, or gives it back. */
  private void serve(Granted granted, long now) {
    CurrentGrant fresh = granted.grant;
    Claim claim = granted.claim;
    Waiter waiter = claim == null ? null : claim.waiter;
    if (!fresh.isValid(now)) {
      endGrant(fresh, Reason.EXPIRED, now);
    } else if (claim == null || waiter == null || !waiter.isWaiting()) {
      giveBack(fresh, now);
    } else {
      granted.claim = null;
      Hold made = hold(waiter, fresh, now);
      granted.hold = made;
      if (made.owner != null) {
        owned.put(made.owner, made);
      }
      plan(granted);
      settle(waiter, made, claim.arrival, false, now);
    }
  }

  @Override
  boolean isCurrent(long grant) {
    return grants.containsKey(grant);
  }

  @Override
  boolean isCurrent(CurrentGrant grant) {
    Granted known = grants.get(grant.number);
    return known != null && known.grant == grant;
  }

  @Override
  void endGrant(CurrentGrant lost, Reason reason, long now) {
    Granted granted = grants.get(lost.number);
    if (granted == null || granted.grant != lost) {
      return;
    }
    remove(lost, now);
    Hold holder = granted.hold;
    ended(reason, holder != null);
    if (holder != null) {
      loseHold(holder, reason, now);
    }
    if (reason == Reason.EXPIRED && endsByItself(holder, now)) {
      leaveToEnd(lost, now);
    } else if (reason != Reason.NOT_AT_STORE) {
      releases.release(PendingRelease.release(lost, now), null);
    }
    Waiter unserved = granted.claim == null ? null : granted.claim.waiter;
    if (unserved != null && unserved.isWaiting()) {
      effects.reached(Transition.GRANT_UNSERVED_CLAIM_AGAIN);
      pending.sendOwn(unserved, now);
    }
  }

  @Override
  void forget(Hold holder) {
    Granted granted = grants.get(holder.grant.number);
    if (granted != null && granted.hold == holder) {
      granted.hold = null;
    }
    if (holder.owner != null) {
      owned.remove(holder.owner, holder);
    }
  }

  // ---------------------------------------------------------------- answers and notifications

  @Override
  public void renewAnswered(
      CurrentGrant renewed,
      RenewRequest request,
      long sentNanos,
      Outcome<RenewAnswer> outcome,
      long now) {
    super.renewAnswered(renewed, request, sentNanos, outcome, now);
    if (isCurrent(renewed)) {
      plan(renewed);
    }
  }

  @Override
  @Nullable Hold holder(CurrentGrant grant) {
    Granted granted = grants.get(grant.number);
    return granted == null ? null : granted.hold;
  }

  @Override
  void extended(CurrentGrant renewed, boolean othersWait, long now) {
    Granted granted = grants.get(renewed.number);
    if (granted != null && !renewed.ready) {
      renewed.ready = true;
      serve(granted, now);
    }
  }

  @Override
  public void revoked(long now) {
    effects.reached(Transition.NOTIFICATION_REVOKED);
    for (Granted granted : grants.values()) {
      granted.grant.renewNanos = now;
      plan(granted);
    }
  }

  @Override
  public void reconnected(long now) {
    super.reconnected(now);
    for (Granted granted : grants.values()) {
      if (granted.grant.renewNanos != Instants.NEVER) {
        granted.grant.renewNanos = now;
        plan(granted);
      }
    }
  }

  // ---------------------------------------------------------------- time

  /** Sees to it that a grant is looked at when something is due about it. */
  private void plan(CurrentGrant grant) {
    Granted granted = grants.get(grant.number);
    if (granted != null) {
      plan(granted);
    }
  }

  private void plan(Granted granted) {
    grantsDueNanos = Math.min(grantsDueNanos, granted.dueNanos());
  }

  @Override
  public void tick(long now, DueRequests due) {
    if (now >= grantsDueNanos) {
      grantsDueNanos = Instants.NEVER;
      for (Granted granted : List.copyOf(grants.values())) {
        tick(granted, now, due);
        if (isCurrent(granted.grant)) {
          plan(granted);
        }
      }
      forgetWhatIsLeft(now);
    }
    super.tick(now, due);
  }

  private void tick(Granted granted, long now, DueRequests due) {
    CurrentGrant grant = granted.grant;
    Hold holder = granted.hold;
    if (holder != null) {
      expire(holder, now);
      if (loseIfOrphaned(holder, now)) {
        giveBack(grant, now);
      }
    } else if (!grant.isValid(now)) {
      endGrant(grant, Reason.EXPIRED, now);
    }
    if (isCurrent(grant)) {
      RenewRequest request = renewals.takeIfDue(grant, granted.hold, now);
      if (request != null) {
        due.renew(grant, request);
      }
    }
  }

  @Override
  public List<Hold> holds() {
    List<Hold> holds = new ArrayList<>();
    for (Granted granted : grants.values()) {
      if (granted.hold != null) {
        holds.add(granted.hold);
      }
    }
    return holds;
  }

  @Override
  public List<Waiter> waiters() {
    List<Claim> claims = pending.claims();
    for (Granted granted : grants.values()) {
      if (granted.claim != null) {
        claims.add(granted.claim);
      }
    }
    List<Waiter> waiters = new ArrayList<>();
    for (Claim claim : claims) {
      if (claim.waiter != null) {
        waiters.add(claim.waiter);
      }
    }
    return waiters;
  }

  @Override
  long grantsDueNanos() {
    return grantsDueNanos;
  }

  @Override
  boolean isIdle() {
    return grants.isEmpty() && leftToEnd.isEmpty() && isNothingPending();
  }

  // ---------------------------------------------------------------- close

  @Override
  void closeGrants(LockkeeperClosedException closed, long now) {
    for (Granted granted : List.copyOf(grants.values())) {
      if (granted.claim != null && granted.claim.waiter != null) {
        fail(granted.claim.waiter, closed, now);
      }
      endGrant(granted.grant, Reason.CLIENT_CLOSED, now);
    }
  }

  @Override
  public boolean isSound() {
    if (grants.size() > 100) {
      return true; // looked at often enough while there were fewer
    }
    for (Granted granted : grants.values()) {
      Hold holder = granted.hold;
      if (holder != null && (holder.state != Hold.State.HELD || holder.grant != granted.grant)) {
        throw new AssertionError("a hold outside its grant, in state " + holder.state);
      }
      if (holder == null && granted.grant.ready) {
        throw new AssertionError("a grant that serves nobody");
      }
      if (granted.dueNanos() < grantsDueNanos) {
        throw new AssertionError("something is due about a grant and nobody looks");
      }
    }
    return true;
  }
}
