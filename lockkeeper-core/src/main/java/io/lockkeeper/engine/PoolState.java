package io.lockkeeper.engine;

import io.lockkeeper.LeaseLost.Reason;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One client's part in a resource that has several holders at a time: a read-write lock, a
 * semaphore or a barrier.
 *
 * <pre>
 *   callers ---> one Claim each ==> one Tenure each --> its Hold --> its caller
 *                          (store)
 * </pre>
 *
 * <p>Every request has a claim of its own, and every grant is a tenure with a lease of its own,
 * because each holder must be able to die alone. So nothing passes from one holder to another
 * inside the client, and who is next is for the store to say.
 *
 * <p>A hold may shrink ({@link #shrink}): a writer becomes a reader, a part of several permits is
 * given back. The holder goes on at once. The store is told in a request that goes out in its turn,
 * so that what this client asks for later finds the part free; if that is not answered, each
 * renewal says it again until one is.
 *
 * <p>A grant of a barrier is only the news that all have come. It is given back as soon as it is
 * heard; its lease does not matter. If its claim was sent more than once, the claim is taken back
 * with it, because a copy that comes later would count as a member of the next group.
 */
final class PoolState extends ResourceState {

  /** The time that a request wants which is only to give back a part: the store shortens none. */
  private static final long NO_MORE_MILLIS = 1;

  private final ResourceKind kind;

  /** What the store has granted, by the grant's number. */
  private final Map<Long, Tenure> tenures = new HashMap<>();

  /** What threads hold; read without the mutex by the thread that asks for its own. */
  private final ConcurrentHashMap<Thread, Hold> owned = new ConcurrentHashMap<>();

  /** A lower bound for when something is due about any tenure. */
  private long tenuresDueNanos = Margins.NEVER;

  PoolState(ResourceKind kind, String name, Policy policy, Effects effects, long now) {
    super(name, policy, effects, new ClaimDesk(kind.id(name), name, policy, effects, true), now);
    this.kind = kind;
  }

  // ---------------------------------------------------------------- callers

  @Override
  @Nullable Hold holdOf(Thread thread) {
    return owned.get(thread);
  }

  @Override
  boolean isHeld(long now) {
    for (Hold hold : owned.values()) {
      if (hold.isValid(now)) {
        return true;
      }
    }
    return false;
  }

  @Override
  void enter(Waiter waiter, long now) {
    desk.sendOwn(waiter, now);
    noteDeadline(waiter);
  }

  @Override
  boolean leave(Waiter waiter, long now) {
    if (!waiter.isWaiting()) {
      return false;
    }
    waiter.leave();
    abandoned(waiter, now);
    Claim own = waiter.claim;
    if (own != null) {
      desk.withdraw(own, now); // or it has a tenure that is not ready, and serve() gives that back
    }
    touch(now);
    return true;
  }

  @Override
  boolean timedOutInSilence(Waiter waiter, long now) {
    Claim own = waiter.claim;
    return own != null && desk.has(own) && isSilent(own, now);
  }

  @Override
  void release(Hold released, long now) {
    leaveHeld(released, now);
    forget(released);
    giveBack(released.tenure, now);
  }

  private void giveBack(Tenure done, long now) {
    effects.reached(Transition.TENURE_GIVEN_BACK);
    remove(done, now);
    desk.release(Retreat.release(done, now), null);
  }

  @Override
  void shrink(Hold hold, int permits, long now) {
    effects.reached(Transition.HOLD_SHRUNK);
    hold.permits = permits;
    Tenure tenure = hold.tenure;
    tenure.keptPermits = permits;
    effects.shrink(
        tenure, new RenewRequest(desk.resource(), null, tenure.grant, NO_MORE_MILLIS, permits));
  }

  /** Takes in the answer to a request that gives back a part. The next renewal repeats it. */
  void shrinkAnswered(Tenure tenure, RenewRequest request, Outcome<RenewAnswer> outcome, long now) {
    if (!isCurrent(tenure)) {
      return;
    }
    if (!(outcome instanceof Outcome.Answered<RenewAnswer> answered)) {
      if (outcome instanceof Outcome.Unknown) {
        desk.silent(now);
      }
      effects.reached(Transition.SHRINK_UNKNOWN);
      tenure.renewNanos = Math.min(tenure.renewNanos, now + policy.renewRetryNanos(tenure));
      plan(tenure);
      return;
    }
    desk.heard();
    if (answered.answer().renewed()) {
      renewals.shrunk(tenure, request);
    } else {
      endTenure(tenure, tenure.isValid(now) ? Reason.NOT_AT_STORE : Reason.EXPIRED, now);
    }
  }

  @Override
  CompletableFuture<Void> confirmation(Tenure tenure) {
    if (!isCurrent(tenure)) {
      return super.confirmation(tenure);
    }
    if (tenure.keptPermits == 0) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> known = tenure.shrunk;
    CompletableFuture<Void> asked = known == null ? new CompletableFuture<>() : known;
    tenure.shrunk = asked;
    return asked;
  }

  /** Takes a tenure out that is over. */
  private void remove(Tenure over, long now) {
    tenures.remove(over.grant);
    renewals.settleShrinking(over);
    touch(now);
  }

  @Override
  void vacated(Hold lost, long now) {
    if (endsByItself(lost, now)) {
      remove(lost.tenure, now);
    } else {
      giveBack(lost.tenure, now);
    }
  }

  /**
   * Returns whether the store ends a permit at the same time as this client. Such a permit is not
   * given back: by its id, somebody elsewhere may have asked for more time for it.
   */
  private boolean endsByItself(@Nullable Hold lost, long now) {
    return kind == ResourceKind.SEMAPHORE
        && lost != null
        && lost.fixed
        && !lost.tenure.isValid(now + 2 * Margins.of(lost.leaseNanos));
  }

  @Override
  void renew(ManualRenewal wish, long now) {
    super.renew(wish, now);
    plan(wish.hold().tenure);
  }

  @Override
  @Nullable Hold holdBy(long grant) {
    Tenure tenure = tenures.get(grant);
    return tenure == null ? null : tenure.hold;
  }

  // ---------------------------------------------------------------- tenures

  @Override
  void granted(Grant grant, long sinceNanos, long now) {
    Claim claim = desk.find(grant.grant());
    if (claim == null || isCurrent(grant.grant())) {
      return; // heard twice
    }
    desk.remove(claim);
    Tenure fresh = new Tenure(grant, sinceNanos, now);
    if (kind == ResourceKind.BARRIER) {
      pass(claim, fresh, now);
      return;
    }
    fresh.run.add(claim);
    fresh.leaseNanos = claim.request.leaseMillis() * 1_000_000;
    if (!fresh.confirmed) {
      fresh.ready = maySupposeConfirmed(fresh, now);
      fresh.renewNanos = fresh.ready ? now + policy.confirmAfterNanos() : now;
    }
    tenures.put(fresh.grant, fresh);
    if (fresh.ready) {
      serve(fresh, now);
    } else {
      plan(fresh);
    }
  }

  /** Lets a member of a barrier go on, and tells the store that it has heard. */
  private void pass(Claim claim, Tenure passed, long now) {
    Waiter waiter = claim.waiter;
    if (waiter != null && waiter.isWaiting()) {
      effects.reached(
          claim.doubtful ? Transition.BARRIER_PASSED_IN_DOUBT : Transition.BARRIER_PASSED);
      Hold news = new Hold(passed, waiter, passed.nextToken(), now, now);
      news.release();
      settle(waiter, news, claim.arrival, false, now);
    }
    touch(now);
    if (claim.doubtful) {
      desk.takeBack(claim, now);
    } else {
      desk.release(Retreat.release(passed, now), null);
    }
  }

  /** Makes a holder of the request that a tenure was granted for, or gives it back. */
  private void serve(Tenure fresh, long now) {
    Claim claim = fresh.run.peekFirst();
    Waiter waiter = claim == null ? null : claim.waiter;
    if (!fresh.isValid(now)) {
      endTenure(fresh, Reason.EXPIRED, now);
    } else if (claim == null || waiter == null || !waiter.isWaiting()) {
      giveBack(fresh, now);
    } else {
      fresh.run.clear();
      Hold made = hold(waiter, fresh, now);
      fresh.hold = made;
      if (made.owner != null) {
        owned.put(made.owner, made);
      }
      plan(fresh);
      settle(waiter, made, claim.arrival, false, now);
    }
  }

  @Override
  boolean isCurrent(long grant) {
    return tenures.containsKey(grant);
  }

  @Override
  boolean isCurrent(Tenure tenure) {
    return tenures.get(tenure.grant) == tenure;
  }

  @Override
  void endTenure(Tenure lost, Reason reason, long now) {
    if (!isCurrent(lost)) {
      return;
    }
    remove(lost, now);
    Hold holder = lost.hold;
    ended(reason, holder != null);
    if (holder != null) {
      loseHold(holder, reason, now);
    }
    boolean over =
        reason == Reason.NOT_AT_STORE || (reason == Reason.EXPIRED && endsByItself(holder, now));
    if (!over) {
      desk.release(Retreat.release(lost, now), null);
    }
    for (Claim unserved : lost.run) {
      if (unserved.waiter != null && unserved.waiter.isWaiting()) {
        effects.reached(Transition.TENURE_UNSERVED_CLAIM_AGAIN);
        desk.sendOwn(unserved.waiter, now);
      }
    }
  }

  @Override
  void forget(Hold holder) {
    holder.tenure.hold = null;
    if (holder.owner != null) {
      owned.remove(holder.owner, holder);
    }
  }

  // ---------------------------------------------------------------- answers and hints

  @Override
  void renewAnswered(
      Tenure renewed,
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
  void extended(
      Tenure renewed, RenewRequest request, long sentNanos, boolean othersWait, long now) {
    renewals.extended(renewed, renewed.hold, request, sentNanos, now);
    if (!renewed.ready) {
      renewed.ready = true;
      serve(renewed, now);
    }
  }

  @Override
  void revoked(long now) {
    effects.reached(Transition.HINT_REVOKED);
    for (Tenure tenure : tenures.values()) {
      tenure.renewNanos = now;
      plan(tenure);
    }
  }

  @Override
  void reconnected(long now) {
    super.reconnected(now);
    for (Tenure tenure : tenures.values()) {
      if (tenure.renewNanos != Margins.NEVER) {
        tenure.renewNanos = now;
        plan(tenure);
      }
    }
  }

  // ---------------------------------------------------------------- time

  /** Sees to it that a tenure is looked at when something is due about it. */
  private void plan(Tenure tenure) {
    tenuresDueNanos = Math.min(tenuresDueNanos, dueNanos(tenure));
  }

  private static long dueNanos(Tenure tenure) {
    long due = Math.min(tenure.validUntilNanos, tenure.renewDueNanos());
    Hold holder = tenure.hold;
    return holder == null ? due : Math.min(due, holder.endNanos);
  }

  @Override
  void tick(long now, Batch batch, Gate gate) {
    if (now >= tenuresDueNanos) {
      tenuresDueNanos = Margins.NEVER;
      for (Tenure tenure : List.copyOf(tenures.values())) {
        tick(tenure, now, batch, gate);
        if (isCurrent(tenure)) {
          plan(tenure);
        }
      }
    }
    super.tick(now, batch, gate);
  }

  private void tick(Tenure tenure, long now, Batch batch, Gate gate) {
    Hold holder = tenure.hold;
    if (holder != null) {
      expire(holder, now);
      if (loseIfOrphaned(holder, now)) {
        giveBack(tenure, now);
      }
    } else if (!tenure.isValid(now)) {
      endTenure(tenure, Reason.EXPIRED, now);
    }
    if (isCurrent(tenure)) {
      RenewRequest request = renewals.takeIfDue(tenure, tenure.hold, now);
      if (request != null) {
        batch.renew(gate, tenure, request);
      }
    }
  }

  @Override
  List<Hold> holds() {
    List<Hold> holds = new ArrayList<>();
    for (Tenure tenure : tenures.values()) {
      if (tenure.hold != null) {
        holds.add(tenure.hold);
      }
    }
    return holds;
  }

  @Override
  List<Waiter> waiters() {
    List<Claim> claims = desk.claims();
    tenures.values().forEach(tenure -> claims.addAll(tenure.run));
    List<Waiter> waiters = new ArrayList<>();
    for (Claim claim : claims) {
      if (claim.waiter != null) {
        waiters.add(claim.waiter);
      }
    }
    return waiters;
  }

  @Override
  long tenuresDueNanos() {
    return tenuresDueNanos;
  }

  @Override
  boolean isIdle() {
    return tenures.isEmpty() && desk.isIdle();
  }

  // ---------------------------------------------------------------- close

  @Override
  void close(LockkeeperClosedException closed, long now) {
    for (Tenure tenure : List.copyOf(tenures.values())) {
      for (Claim unserved : tenure.run) {
        if (unserved.waiter != null) {
          fail(unserved.waiter, closed, now);
        }
      }
      endTenure(tenure, Reason.CLIENT_CLOSED, now);
    }
  }

  @Override
  boolean isSound() {
    if (tenures.size() > 100) {
      return true; // looked at often enough while there were fewer
    }
    for (Tenure tenure : tenures.values()) {
      Hold holder = tenure.hold;
      if (holder != null && (holder.state != Hold.State.HELD || holder.tenure != tenure)) {
        throw new AssertionError("a hold outside its tenure, in state " + holder.state);
      }
      if (holder == null && tenure.ready) {
        throw new AssertionError("a tenure that serves nobody");
      }
      if (dueNanos(tenure) < tenuresDueNanos) {
        throw new AssertionError("something is due about a tenure and nobody looks");
      }
    }
    return true;
  }
}
