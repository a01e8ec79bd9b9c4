package io.lockkeeper.engine;

import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLost.Reason;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.LockEvent;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.Done;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.LookAnswer;
import io.lockkeeper.spi.LookRequest;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What one client knows of one resource: a state machine without threads, I/O or clock. {@link
 * Gate} guards it with a mutex and tells it the time; what it wants done goes to {@link Effects}.
 *
 * <p>Here is what all kinds of resources have in common: what becomes of claims, releases and looks
 * that the store answers or does not answer, who is told of a loss, and when asynchronous requests
 * give up. How grants are shared out is the matter of {@link GateState} for locks and of {@link
 * PoolState} for everything else.
 *
 * <h2>Time</h2>
 *
 * A tenure is valid from the sending of the request that brought it, for the lease less a margin.
 * For a grant that was pushed, the sending time is replaced by a lower bound for the moment of the
 * decision ({@link ClaimDesk#earliestDecision}). A tenure whose time is over is over, whatever the
 * store says later: late answers are matched by grant number and find nothing.
 *
 * <h2>Unknown outcomes</h2>
 *
 * A claim without an answer is sent again with its number. What is given up (a grant, a claim)
 * becomes a {@link Retreat} and is asked for again until answered or until it must have expired.
 * Both are kept by the {@link ClaimDesk}.
 *
 * <p>Not thread-safe: guarded by the gate's mutex.
 */
abstract class ResourceState {

  /** How long a gate without any business is kept, and a claim without an answer is not silence. */
  private static final long IDLE_NANOS = 1_000_000_000;

  /** The name that the user chose. */
  final String name;

  final Policy policy;
  final Effects effects;
  final ClaimDesk desk;
  final Renewals renewals;

  /** A lower bound for the deadlines of the asynchronous requests. */
  private long asyncDeadlineNanos = Margins.NEVER;

  private long idleSinceNanos;

  ResourceState(String name, Policy policy, Effects effects, ClaimDesk desk, long now) {
    this.name = name;
    this.policy = policy;
    this.effects = effects;
    this.desk = desk;
    this.renewals = new Renewals(desk.resource(), name, policy, effects);
    this.idleSinceNanos = now;
  }

  // ---------------------------------------------------------------- callers

  /** Returns what a thread holds, or null. Read without the mutex by that thread. */
  abstract @Nullable Hold holdOf(Thread thread);

  /** Returns what is held by a grant of this number, or null. */
  @Nullable Hold holdBy(long grant) {
    return null;
  }

  /** Returns whether a grant was given back and the store has not confirmed it yet. */
  final boolean isReleasing(long grant) {
    return desk.isReleasing(grant);
  }

  /**
   * Returns what is completed when the store has confirmed all that was given back of a tenure, or
   * that has become pointless.
   */
  CompletableFuture<Void> confirmation(Tenure tenure) {
    return desk.confirmation(tenure.grant);
  }

  /** Returns whether this client is known to hold the resource. Read without the mutex. */
  abstract boolean isHeld(long now);

  /** Takes the resource for a running caller if it is open to it. */
  boolean takeIfOpen(Waiter waiter, long now) {
    return false;
  }

  /** Lets a request in: it is granted, or refused, or waits. */
  abstract void enter(Waiter waiter, long now);

  final void noteDeadline(Waiter waiter) {
    if (waiter.isAsync() && waiter.isWaiting()) {
      asyncDeadlineNanos = Math.min(asyncDeadlineNanos, waiter.deadlineNanos);
    }
  }

  /** Takes a waiting request out; returns false if it is not waiting any more. */
  abstract boolean leave(Waiter waiter, long now);

  /**
   * Returns whether a request that ran out of time did so because the store said nothing at all, as
   * opposed to somebody else holding the resource.
   */
  abstract boolean timedOutInSilence(Waiter waiter, long now);

  /** Returns whether nothing has been heard about a claim. */
  static boolean isSilent(@Nullable Claim claim, long now) {
    return claim != null
        && claim.state == Claim.State.SENT
        && (claim.failures > 0 || now - claim.bornNanos >= IDLE_NANOS);
  }

  final void giveUp(Waiter waiter, long now) {
    waiter.leave();
    abandoned(waiter, now);
    effects.settled(waiter);
  }

  final void fail(Waiter waiter, RuntimeException cause, long now) {
    if (waiter.isWaiting()) {
      waiter.fail(cause);
      abandoned(waiter, now);
      effects.settled(waiter);
    }
  }

  final void abandoned(Waiter waiter, long now) {
    if (effects.listening()) {
      effects.event(new LockEvent.Abandoned(name, since(waiter.startNanos, now)));
    }
  }

  static Duration since(long startNanos, long now) {
    return Duration.ofNanos(Math.max(0, now - startNanos));
  }

  /** Ends a hold at its holder's wish. */
  abstract void release(Hold released, long now);

  /** Marks a hold as released, and tells those who count on it. */
  final void leaveHeld(Hold released, long now) {
    effects.reached(Transition.HOLD_RELEASED);
    released.release();
    if (effects.listening()) {
      effects.event(
          new LockEvent.Released(name, released.token, since(released.acquiredNanos, now)));
    }
    for (ManualRenewal wish : released.tenure.takeWishes()) {
      effects.renewed(wish, new IllegalStateException(about("the lease was released")));
    }
  }

  /** Keeps only so many permits of a hold, and gives the others back. */
  void shrink(Hold hold, int permits, long now) {
    throw new IllegalStateException(about("cannot be held in part"));
  }

  /** Notices that a hold's time is over, if it is. */
  final void expire(Hold overdue, long now) {
    if (overdue.state != Hold.State.HELD || overdue.isValid(now)) {
      return;
    }
    if (overdue.tenure.isValid(now)) {
      effects.reached(Transition.HOLD_FIXED_LEASE_ENDED);
      loseHold(overdue, Reason.FIXED_LEASE_ENDED, now);
      vacated(overdue, now);
    } else {
      endTenure(overdue.tenure, Reason.EXPIRED, now);
    }
  }

  /** Takes note that a hold was lost while its tenure goes on. */
  abstract void vacated(Hold lost, long now);

  /** Has a hold renewed soon. */
  void renew(ManualRenewal wish, long now) {
    wish.hold().tenure.wishes.add(wish);
    wish.hold().tenure.renewNanos = now;
  }

  // ---------------------------------------------------------------- claims

  /** Takes in the answer to a claim that was sent at {@code sentNanos}. */
  final void claimAnswered(Claim claim, long sentNanos, Outcome<ClaimAnswer> outcome, long now) {
    if (outcome instanceof Outcome.Unknown<ClaimAnswer> unknown) {
      desk.silent(now);
      if (desk.has(claim)) {
        claimUnknown(claim, unknown.cause(), now);
      }
      return;
    }
    desk.heard();
    if (!desk.has(claim)) { // withdrawn since, or granted by a push that was faster
      releaseIfForgotten(outcome, sentNanos, now);
      return;
    }
    if (outcome instanceof Outcome.Refused<ClaimAnswer> refused) {
      String message = about(refused.message());
      failClaim(claim, new StoreRefusedException(refused.problem(), message), now);
    } else if (outcome instanceof Outcome.Answered<ClaimAnswer> answered) {
      claimAnswered(claim, sentNanos, answered.answer(), now);
    }
  }

  /** Releases a grant that came after the withdrawal of its claim had been answered. */
  private void releaseIfForgotten(Outcome<ClaimAnswer> outcome, long sentNanos, long now) {
    if (outcome instanceof Outcome.Answered<ClaimAnswer> answered
        && answered.answer() instanceof ClaimAnswer.Granted granted) {
      seen(granted.grant(), sentNanos, now);
    }
  }

  private void claimAnswered(Claim claim, long sentNanos, ClaimAnswer answer, long now) {
    if (answer instanceof ClaimAnswer.Granted granted) {
      effects.reached(Transition.GRANT_ANSWERED);
      granted(granted.grant(), sentNanos, now);
    } else if (answer instanceof Queued queued) {
      desk.queued(claim, queued, sentNanos, now);
    } else if (answer instanceof ClaimAnswer.Busy) {
      effects.reached(Transition.CLAIM_FOUND_IT_TAKEN);
      desk.remove(claim);
      if (claim.waiter != null && claim.waiter.isWaiting()) {
        giveUp(claim.waiter, now);
      }
      touch(now);
    }
  }

  private void claimUnknown(Claim claim, Throwable cause, long now) {
    if (!claim.request.queue() || desk.isPatienceOver(now)) {
      effects.reached(Transition.CLAIM_UNKNOWN_GIVEN_UP);
      failClaim(claim, policy.unavailable(about("the store does not answer"), cause), now);
    } else {
      desk.retry(claim, now);
    }
  }

  /** Fails every request that counts on a claim, and takes the claim back. */
  void failClaim(Claim claim, RuntimeException cause, long now) {
    desk.withdraw(claim, now);
    if (claim.waiter != null) {
      fail(claim.waiter, cause, now);
    }
  }

  // ---------------------------------------------------------------- grants

  /** Takes in a grant that was pushed. */
  final void pushed(Grant grant, long now) {
    long since = now;
    boolean known = false;
    for (long number : grant.claims()) {
      Claim claim = desk.find(number);
      if (claim != null) {
        known = true;
        since = Math.min(since, desk.earliestDecision(claim, grant.storeMicros(), now));
      }
    }
    if (known) {
      effects.reached(Transition.GRANT_PUSHED);
      granted(grant, since, now);
    } else if (desk.isWithdrawing(grant)) {
      effects.reached(Transition.GRANT_AFTER_WITHDRAWAL_SENT);
    } else {
      seen(grant, now, now);
    }
  }

  /** Takes in a grant whose decision was made no earlier than {@code sinceNanos}. */
  abstract void granted(Grant grant, long sinceNanos, long now);

  /** Takes in a grant that the store says is current: news, known already, or nobody's. */
  private void seen(Grant grant, long sentNanos, long now) {
    for (long number : grant.claims()) {
      if (desk.find(number) != null) {
        effects.reached(Transition.GRANT_FOUND);
        granted(grant, sentNanos, now);
        return;
      }
    }
    boolean ends = desk.isReleasing(grant.grant()) || desk.isWithdrawing(grant);
    if (!ends && !isCurrent(grant.grant())) {
      effects.reached(Transition.GRANT_ORPHANED);
      desk.release(Retreat.orphan(grant, now), null);
    }
  }

  /** Returns whether there is a tenure of this grant. */
  abstract boolean isCurrent(long grant);

  /** Returns whether this tenure is not over. */
  abstract boolean isCurrent(Tenure tenure);

  /**
   * Returns whether a grant out of the queue may be served before it is confirmed: if that does no
   * harm at this store, and if there is time left to do so. If the news of it was lost, the look
   * that finds it comes when most of the claim deadline is over.
   */
  final boolean maySupposeConfirmed(Tenure fresh, long now) {
    long enoughNanos = Math.min(fresh.leaseNanos / 2, 2 * policy.confirmAfterNanos());
    boolean isOver = !fresh.isValid(now); // then there is nothing to confirm
    boolean may =
        isOver || (!policy.confirmsHandOver() && fresh.validUntilNanos - now >= enoughNanos);
    effects.reached(may ? Transition.GRANT_SUPPOSED_CONFIRMED : Transition.GRANT_CONFIRMED_FIRST);
    return may;
  }

  /** Makes a holder of a request that was granted. */
  final Hold hold(Waiter waiter, Tenure tenure, long now) {
    long end = waiter.fixed ? now + waiter.leaseNanos : Margins.NEVER;
    Hold fresh = new Hold(tenure, waiter, tenure.nextToken(), now, end);
    renewals.plan(tenure, fresh, now);
    return fresh;
  }

  /** Tells a caller that its request was granted. */
  final void settle(Waiter waiter, Hold fresh, long arrival, boolean passed, long now) {
    if (passed) {
      effects.reached(Transition.HOLD_PASSED_ON);
    }
    waiter.grant(fresh);
    effects.settled(waiter);
    if (effects.listening()) {
      if (passed) {
        effects.event(new LockEvent.HandedOver(name, fresh.token));
      }
      Duration waited = since(waiter.startNanos, now);
      effects.event(new LockEvent.Acquired(name, fresh.token, waited, arrival));
    }
  }

  /** Ends a tenure against its holder's wish. */
  abstract void endTenure(Tenure lost, Reason reason, long now);

  /** Counts the end of a tenure. */
  final void ended(Reason reason, boolean held) {
    if (reason == Reason.EXPIRED) {
      effects.reached(held ? Transition.TENURE_EXPIRED_HELD : Transition.TENURE_EXPIRED_UNHELD);
    } else if (reason == Reason.NOT_AT_STORE) {
      effects.reached(Transition.TENURE_NOT_AT_STORE);
    }
  }

  final void loseHold(Hold holder, Reason reason, long now) {
    Reason why =
        reason == Reason.EXPIRED && holder.isAtFixedEnd(now) ? Reason.FIXED_LEASE_ENDED : reason;
    LeaseLost news = new LeaseLost(name, holder.token, why);
    holder.lose(news);
    if (holder.owner != null) {
      effects.remember(holder.owner, holder);
    }
    forget(holder); // last: a thread that no longer finds its hold must find its loss
    for (ManualRenewal wish : holder.tenure.takeWishes()) {
      effects.renewed(wish, new LeaseLostException(news));
    }
    effects.lost(holder);
    if (effects.listening()) {
      effects.event(new LockEvent.Lost(name, holder.token, why));
    }
  }

  /** Is no longer to find this hold. */
  abstract void forget(Hold holder);

  /** Has a hold end if its owner is a thread that has died; returns whether that is so. */
  final boolean loseIfOrphaned(Hold holder, long now) {
    if (holder.state != Hold.State.HELD || holder.owner == null || holder.owner.isAlive()) {
      return false;
    }
    loseHold(holder, Reason.OWNER_DIED, now);
    return true;
  }

  // ---------------------------------------------------------------- answers

  /** Takes in the answer to a release that was sent at {@code sentNanos}. */
  final void releaseAnswered(
      Retreat retreat,
      @Nullable Claim requeue,
      long sentNanos,
      Outcome<ReleaseAnswer> outcome,
      long now) {
    if (!(outcome instanceof Outcome.Answered<ReleaseAnswer> answered)) {
      if (requeue != null && desk.has(requeue)) {
        desk.retry(requeue, now);
      }
      retreatFailed(retreat, outcome, now);
      return;
    }
    desk.heard();
    desk.retreated(retreat);
    touch(now);
    ReleaseAnswer answer = answered.answer();
    effects.reached(
        answer.released() ? Transition.RELEASE_CONFIRMED : Transition.RELEASE_CAME_TOO_LATE);
    if (!answer.released() && retreat.failures == 0 && now < retreat.believedUntilNanos) {
      lostBeforeRelease(retreat);
    }
    if (requeue != null && answer.requeued() != null && desk.has(requeue)) {
      desk.queued(requeue, answer.requeued(), sentNanos, now);
    }
    if (answer.next() != null) {
      seen(answer.next(), sentNanos, now);
    }
  }

  /** Tells the listeners that a hold, already given back, had been taken away before. */
  private void lostBeforeRelease(Retreat retreat) {
    if (effects.listening()) {
      effects.event(new LockEvent.Lost(name, retreat.usedToken, Reason.NOT_AT_STORE));
    }
  }

  final void withdrawAnswered(Retreat retreat, Outcome<Done> outcome, long now) {
    if (outcome instanceof Outcome.Answered) {
      effects.reached(Transition.WITHDRAWAL_CONFIRMED);
      desk.heard();
      desk.retreated(retreat);
      touch(now);
    } else {
      retreatFailed(retreat, outcome, now);
    }
  }

  private void retreatFailed(Retreat retreat, Outcome<?> outcome, long now) {
    if (outcome instanceof Outcome.Unknown) {
      desk.silent(now);
    }
    desk.retreatFailed(retreat, now);
    touch(now);
  }

  /** Takes in the answer to a renewal that was sent at {@code sentNanos}. */
  void renewAnswered(
      Tenure renewed,
      RenewRequest request,
      long sentNanos,
      Outcome<RenewAnswer> outcome,
      long now) {
    if (outcome instanceof Outcome.Unknown) {
      desk.silent(now);
    } else {
      desk.heard();
    }
    renewed.renewing = false;
    if (!isCurrent(renewed)) {
      effects.reached(Transition.RENEWAL_OF_THE_PAST);
      return; // released or lost meanwhile: nothing comes back to life
    }
    if (!renewed.isValid(now)) {
      endTenure(renewed, Reason.EXPIRED, now);
    } else if (outcome instanceof Outcome.Answered<RenewAnswer> answered) {
      if (answered.answer().renewed()) {
        effects.reached(Transition.RENEWED);
        extended(renewed, request, sentNanos, answered.answer().othersWait(), now);
      } else {
        endTenure(renewed, Reason.NOT_AT_STORE, now);
      }
    } else {
      effects.reached(Transition.RENEWAL_UNKNOWN);
      renewals.failed(renewed, outcome, now);
    }
  }

  /** Takes note that a renewal was carried out. */
  abstract void extended(
      Tenure renewed, RenewRequest request, long sentNanos, boolean othersWait, long now);

  final void lookAnswered(
      LookRequest request, long sentNanos, Outcome<LookAnswer> outcome, long now) {
    Claim asked = desk.find(request.claim());
    desk.lookOver(asked);
    if (!(outcome instanceof Outcome.Answered<LookAnswer> answered)) {
      lookFailed(outcome, now);
      return;
    }
    desk.heard();
    LookAnswer answer = answered.answer();
    if (answer instanceof Queued queued) {
      desk.looked(queued, sentNanos, now);
      return;
    }
    desk.lookLater(now);
    if (answer instanceof LookAnswer.Granted granted) {
      effects.reached(Transition.LOOK_FOUND_GRANT);
      seen(granted.grant(), sentNanos, now);
    } else if (asked != null) {
      effects.reached(Transition.LOOK_FOUND_NOTHING);
      desk.askAgain(asked, now);
    }
  }

  private void lookFailed(Outcome<LookAnswer> outcome, long now) {
    desk.lookFailed(now);
    if (outcome instanceof Outcome.Unknown<LookAnswer> unknown) {
      desk.silent(now);
      if (desk.isPatienceOver(now)) {
        RuntimeException failure =
            policy.unavailable(about("the store does not answer"), unknown.cause());
        for (Claim claim : desk.claims()) {
          failClaim(claim, failure, now);
        }
      }
    }
  }

  // ---------------------------------------------------------------- hints

  /** Another client waits. */
  void wanted(long now) {}

  /** What this client holds may have been taken away: the answer to a renewal tells. */
  abstract void revoked(long now);

  /** Hints may have been missed, and what failed may work again. */
  void reconnected(long now) {
    effects.reached(Transition.HINT_RECONNECTED);
    desk.reconnected(now);
  }

  // ---------------------------------------------------------------- time

  /** Does what is due; renewals and looks are left in {@code batch} to be sent with others'. */
  void tick(long now, Batch batch, Gate gate) {
    desk.retryIfDue(now);
    timeOutAsync(now);
    for (LookRequest look : desk.takeLooksIfDue(now)) {
      batch.look(gate, look);
    }
  }

  private void timeOutAsync(long now) {
    if (now < asyncDeadlineNanos) {
      return;
    }
    asyncDeadlineNanos = Margins.NEVER;
    for (Waiter waiter : waiters()) {
      if (waiter.isAsync() && waiter.isWaiting()) {
        if (now >= waiter.deadlineNanos) {
          boolean silent = timedOutInSilence(waiter, now);
          effects.reached(Transition.REQUEST_TIMED_OUT);
          leave(waiter, now);
          if (silent) {
            waiter.failure = policy.unavailable(about("the store does not answer"), null);
          }
          effects.settled(waiter);
        } else {
          asyncDeadlineNanos = Math.min(asyncDeadlineNanos, waiter.deadlineNanos);
        }
      }
    }
  }

  /** Ends a wait with a failure; returns false if it is over already. */
  final boolean refuse(Waiter waiter, RuntimeException cause, long now) {
    if (!leave(waiter, now)) {
      return false;
    }
    waiter.failure = cause;
    effects.settled(waiter);
    return true;
  }

  /** Returns whether any request waits. */
  boolean isAwaited() {
    return desk.hasClaims();
  }

  /** Returns a waiting request's place in the store's order of arrival, or -1 if it is unknown. */
  final long arrivalOf(Waiter waiter) {
    Claim claim = waiter.claim == null ? desk.sharedClaim() : waiter.claim;
    return claim == null ? -1 : claim.arrival;
  }

  /** Returns all that is held. */
  abstract List<Hold> holds();

  /** Returns all requests that may still be waiting. */
  abstract List<Waiter> waiters();

  /** Returns when something is due next. */
  final long dueNanos() {
    long due = Math.min(desk.dueNanos(), Math.min(asyncDeadlineNanos, tenuresDueNanos()));
    return isIdle() ? Math.min(due, idleSinceNanos + IDLE_NANOS) : due;
  }

  /** Returns when something is due about what is granted, or an earlier time. */
  abstract long tenuresDueNanos();

  abstract boolean isIdle();

  /** Returns whether nothing has happened here for a while. */
  final boolean isRetirable(long now) {
    return isIdle() && now - idleSinceNanos >= IDLE_NANOS;
  }

  final boolean hasRetreats() {
    return desk.hasRetreats();
  }

  final void touch(long now) {
    idleSinceNanos = now;
  }

  final String about(String message) {
    return "'" + name + "': " + message;
  }

  // ---------------------------------------------------------------- close

  /** Ends everything: waits fail, holds are lost, and what the store knows is taken back. */
  final void close(long now) {
    LockkeeperClosedException closed =
        new LockkeeperClosedException(about("this client was closed"));
    for (Claim claim : desk.claims()) {
      failClaim(claim, closed, now);
    }
    close(closed, now);
  }

  /** Ends what is granted, and the waits that have no claim. */
  abstract void close(LockkeeperClosedException closed, long now);

  /** Checks what must always hold; called after every step where assertions are on. */
  abstract boolean isSound();
}
