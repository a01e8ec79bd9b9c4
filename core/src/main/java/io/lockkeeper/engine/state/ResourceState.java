package io.lockkeeper.engine.state;

import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLost.Reason;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.LockEvent;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.engine.policy.Policy;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.WithdrawAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what one client knows of one resource: a state machine without threads, I/O, clock or
 * futures. A coordinator guards it with a mutex and tells it the time; what it wants done goes to
 * {@link Effects}.
 *
 * <p>Here is what all kinds of resources have in common: what becomes of claims, releases and polls
 * that the store answers or does not answer, which listeners learn of a loss, and when asynchronous
 * requests give up. How grants are shared out is the matter of {@link ExclusiveState} for locks and
 * of {@link SharedState} for everything else.
 *
 * <h2>Time</h2>
 *
 * A grant is valid from the sending of the request that brought it, for the lease less a margin.
 * For a grant that was pushed, the sending time is replaced by a lower bound for the moment of the
 * decision ({@link PendingClaims#earliestDecision}). A grant whose time is over is over, whatever
 * the store says later: late answers are matched by grant number and find nothing.
 *
 * <h2>Unknown outcomes</h2>
 *
 * A claim without an answer is sent again with its number. What is given up (a grant, a claim)
 * becomes a {@link PendingRelease} and is asked for again until answered or until it must have
 * expired. See {@link PendingClaims} and {@link PendingReleases}.
 *
 * <p>This file is long because one state machine is best read in one place: all of it works on the
 * same fields, and what could be taken out ({@link PendingClaims}, {@link PendingReleases}, {@link
 * Renewals}) has been.
 *
 * <p>Not thread-safe: guarded by the coordinator's mutex.
 */
public abstract class ResourceState {

  /**
   * How long the state of an idle resource is kept, and a claim without an answer is not silence.
   */
  private static final long IDLE_NANOS = 1_000_000_000;

  /** For how long a request that ends waits for its claim to be taken back at the store. */
  private static final long MAX_LEAVING_NANOS = 1_000_000_000;

  /**
   * The same if the store has not answered the claim either. It may be out of reach, and a time
   * limit must hold even then. Not at barriers, which must know whether the member was counted.
   */
  private static final long MAX_LEAVING_UNHEARD_NANOS = 100_000_000;

  final ResourceId resource;

  /** The name that the user chose. */
  final String name;

  final Policy policy;
  final Effects effects;
  final PendingReleases releases;
  final PendingClaims pending;
  final Renewals renewals;

  /** A lower bound for the deadlines of the asynchronous requests. */
  private long asyncDeadlineNanos = Instants.NEVER;

  private long idleSinceNanos;

  /** The requests that are leaving, in the order in which they began to. */
  private final List<Leaving> leaving = new ArrayList<>();

  private record Leaving(Waiter waiter, PendingRelease withdrawal) {}

  /**
   * Creates one.
   *
   * @param grantsEach whether claims are granted one by one, so that each has to be looked at
   */
  ResourceState(ResourceId resource, Policy policy, Effects effects, boolean grantsEach, long now) {
    this.resource = resource;
    this.name = resource.name();
    this.policy = policy;
    this.effects = effects;
    this.releases = new PendingReleases(policy, effects);
    this.pending = new PendingClaims(resource, policy, effects, releases, grantsEach);
    this.renewals = new Renewals(resource, policy, effects);
    this.idleSinceNanos = now;
  }

  // ---------------------------------------------------------------- callers

  /** Returns what a thread holds, or null. Read without the mutex by that thread. */
  public abstract @Nullable Hold holdOf(Thread thread);

  /** Returns what is held by a grant of this number, or null. */
  public @Nullable Hold holdBy(long grant) {
    return null;
  }

  /** Returns whether a grant of this number was given back, which is not confirmed yet. */
  public final boolean isReleasing(long grant) {
    return releases.isReleasing(grant);
  }

  /**
   * Registers for when the store has confirmed all that was given back of a grant, or that has
   * become pointless; returns false if there is nothing to wait for.
   */
  public boolean awaitConfirmation(CurrentGrant grant, Completion listener) {
    return releases.await(grant, listener);
  }

  /** Returns who waits for a release to be confirmed. */
  public final List<Completion> releaseListeners() {
    return releases.listeners();
  }

  /** Returns whether this client is known to hold the resource. Read without the mutex. */
  public abstract boolean isHeld(long now);

  /** Takes the resource for a running caller if it is open to it. */
  public boolean takeIfOpen(Waiter waiter, long now) {
    return false;
  }

  /** Lets a request in: it is granted, or refused, or waits. */
  public abstract void enter(Waiter waiter, long now);

  final void noteDeadline(Waiter waiter) {
    if (waiter.isAsync() && waiter.isWaiting()) {
      asyncDeadlineNanos = Math.min(asyncDeadlineNanos, waiter.deadlineNanos);
    }
  }

  /**
   * Takes a waiting request out; returns false if it is not waiting any more. If its claim has to
   * be taken back, the request is {@linkplain Waiter.State#LEAVING leaving} until the store has
   * answered: what is released after its end goes to nobody who has left.
   */
  public final boolean leave(Waiter waiter, long now) {
    if (!waiter.isWaiting()) {
      return false;
    }
    waiter.beginToLeave(now + MAX_LEAVING_NANOS);
    PendingRelease withdrawal = takeOut(waiter, now);
    if (withdrawal == null) {
      left(waiter, now);
    } else {
      if (!withdrawal.isOfAnsweredClaim && resource.kind() != ResourceKind.BARRIER) {
        waiter.leavesByNanos = now + MAX_LEAVING_UNHEARD_NANOS;
      }
      leaving.add(new Leaving(waiter, withdrawal));
    }
    return true;
  }

  /** Takes out a request that is leaving; returns the withdrawal of its claim, if there is one. */
  abstract @Nullable PendingRelease takeOut(Waiter waiter, long now);

  private void left(Waiter waiter, long now) {
    waiter.leave();
    abandoned(waiter, now);
  }

  /** Ends a request that is leaving, although the store has not answered. */
  public final void leaveUnconfirmed(Waiter waiter, long now) {
    if (waiter.isLeaving()) {
      effects.reached(Transition.REQUEST_LEFT_UNCONFIRMED);
      leaving.removeIf(each -> each.waiter == waiter);
      if (resource.kind() == ResourceKind.BARRIER && waiter.failure == null) {
        waiter.failure =
            policy.unavailable(
                about("the store does not answer whether all came before this wait ended"),
                pending.lastFailure());
      }
      left(waiter, now);
      effects.settled(waiter);
    }
  }

  /** Ends all requests that are leaving: no answer will come. */
  public final void leaveUnconfirmed(long now) {
    for (Leaving each : List.copyOf(leaving)) {
      leaveUnconfirmed(each.waiter, now);
    }
  }

  private void leavingAnswered(
      PendingRelease withdrawal, Outcome<WithdrawAnswer> outcome, long now) {
    for (Leaving each : List.copyOf(leaving)) {
      if (each.withdrawal != withdrawal) {
        continue;
      }
      Waiter waiter = each.waiter;
      if (!(outcome instanceof Outcome.Answered<WithdrawAnswer> answered)) {
        leaveUnconfirmed(waiter, now);
        continue;
      }
      leaving.remove(each);
      if (answered.answer().hasPassed()) {
        effects.reached(Transition.BARRIER_PASSED_WHILE_LEAVING);
        long token = answered.answer().token();
        Grant news =
            new Grant(
                withdrawal.number, List.of(withdrawal.number), token, token, 0, 0, false, true);
        passed(waiter, new CurrentGrant(news, now, now), -1, now);
      } else {
        left(waiter, now);
        effects.settled(waiter);
      }
    }
  }

  /** Tells a member of a barrier that all have come. There is nothing to hold. */
  final void passed(Waiter waiter, CurrentGrant passed, long arrival, long now) {
    Hold news = waiter.makeHold(passed, passed.nextToken(), now, now);
    news.release(now);
    settle(waiter, news, arrival, false, now);
  }

  /**
   * Takes out a request whose time is over. If the store has said nothing at all about it, it fails
   * with that, and at once.
   */
  public final void timeOut(Waiter waiter, long now) {
    Throwable unanswered = pending.lastFailure();
    boolean silent = timedOutInSilence(waiter, now);
    if (!leave(waiter, now)) {
      return;
    }
    effects.reached(Transition.REQUEST_TIMED_OUT);
    waiter.lastFailure = unanswered;
    waiter.holder = holderHere();
    if (silent) {
      waiter.failure = policy.unavailable(about("the store does not answer"), unanswered);
    }
    if (silent && waiter.isLeaving()) {
      leaveUnconfirmed(waiter, now);
    } else if (waiter.isOver()) {
      effects.settled(waiter);
    }
  }

  /**
   * Returns whether a request that ran out of time did so because the store said nothing at all, as
   * opposed to somebody else holding the resource.
   */
  abstract boolean timedOutInSilence(Waiter waiter, long now);

  /** Returns whether nothing has been heard about a claim, and not only because it is young. */
  final boolean isSilent(@Nullable Claim claim, long now) {
    return claim != null
        && claim.state == Claim.State.SENT
        && (claim.failures > 0 || now - claim.bornNanos >= IDLE_NANOS || policy.isStoreSilent());
  }

  /** Returns the thread of this client that holds the resource alone, or null. */
  @Nullable Thread holderHere() {
    return null;
  }

  final void giveUp(Waiter waiter, long now) {
    waiter.holder = holderHere();
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
    if (effects.wants(LockEvent.Abandoned.class)) {
      effects.event(new LockEvent.Abandoned(resource.kind(), name, since(waiter.startNanos, now)));
    }
  }

  static Duration since(long startNanos, long now) {
    return Duration.ofNanos(Math.max(0, now - startNanos));
  }

  /** Ends a hold at its holder's wish. */
  public abstract void release(Hold released, long now);

  /**
   * Asks the store again about everything that has no answer, because an error, as of memory or of
   * the stack, may have come between a decision and its request. Repeating does no harm.
   */
  public final void afterError(long now) {
    pending.askAgain(now);
    releases.askAgain(now);
  }

  /** Marks a hold as released, and tells those who count on it. */
  final void leaveHeld(Hold released, long now) {
    effects.reached(Transition.HOLD_RELEASED);
    released.release(now);
    if (effects.wants(LockEvent.Released.class)) {
      effects.event(
          new LockEvent.Released(
              resource.kind(), name, released.token, since(released.acquiredNanos, now)));
    }
    for (ManualRenewal wish : released.grant.takeWishes()) {
      effects.renewed(wish, new IllegalStateException(about("the lease was released")));
    }
  }

  /**
   * Ends a hold, and has the lock stay closed for so long.
   *
   * @param known is called when the store has confirmed that
   */
  public void rest(Hold released, long restNanos, Completion known, long now) {
    throw new UnsupportedOperationException(about("only a lock can stay closed after a release"));
  }

  /** Keeps only so many permits of a hold, and gives the others back. */
  public void shrink(Hold hold, int permits, long now) {
    throw new IllegalStateException(about("cannot be held in part"));
  }

  /** Notices that a hold's time is over, if it is. */
  public final void expire(Hold overdue, long now) {
    if (overdue.state != Hold.State.HELD || overdue.isValid(now)) {
      return;
    }
    if (overdue.grant.isValid(now)) {
      effects.reached(Transition.HOLD_FIXED_LEASE_ENDED);
      loseHold(overdue, Reason.FIXED_LEASE_ENDED, now);
      vacated(overdue, now);
    } else {
      endGrant(overdue.grant, Reason.EXPIRED, now);
    }
  }

  /** Records that a hold was lost while its grant goes on. */
  abstract void vacated(Hold lost, long now);

  /** Plans to renew a hold soon. */
  public void renew(Hold hold, ManualRenewal wish, long now) {
    hold.grant.wishes.add(wish);
    hold.grant.renewNanos = now;
  }

  // ---------------------------------------------------------------- claims

  /** Takes in the answer to a claim that was sent at {@code sentNanos}. */
  public final void claimAnswered(
      Claim claim, long sentNanos, Outcome<ClaimAnswer> outcome, long now) {
    if (outcome instanceof Outcome.Unknown<ClaimAnswer> unknown) {
      pending.silent(unknown.cause(), now);
      if (pending.has(claim)) {
        claimUnknown(claim, unknown.cause(), now);
      }
      return;
    }
    pending.heard();
    if (!pending.has(claim)) { // withdrawn since, or granted by a push that was faster
      releaseIfForgotten(outcome, sentNanos, now);
      return;
    }
    if (outcome instanceof Outcome.Refused<ClaimAnswer> refused) {
      String message = about(refused.message());
      claim.refused = true;
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
      pending.queued(claim, queued, sentNanos, now);
    } else if (answer instanceof ClaimAnswer.Busy) {
      effects.reached(Transition.CLAIM_FOUND_IT_TAKEN);
      pending.remove(claim);
      if (claim.waiter != null && claim.waiter.isWaiting()) {
        giveUp(claim.waiter, now);
      }
      touch(now);
    }
  }

  private void claimUnknown(Claim claim, Throwable cause, long now) {
    if (!claim.request.queue() || pending.isPatienceOver(now)) {
      effects.reached(Transition.CLAIM_UNKNOWN_GIVEN_UP);
      failClaim(claim, policy.unavailable(about("the store does not answer"), cause), now);
    } else {
      pending.retry(claim, now);
    }
  }

  /** Fails every request that counts on a claim, and takes the claim back. */
  void failClaim(Claim claim, RuntimeException cause, long now) {
    pending.withdraw(claim, now);
    if (claim.waiter != null) {
      fail(claim.waiter, cause, now);
    }
  }

  // ---------------------------------------------------------------- grants

  /** Takes in a grant that was pushed. */
  public final void pushed(Grant grant, long now) {
    long since = now;
    boolean known = false;
    for (long number : grant.claims()) {
      Claim claim = pending.find(number);
      if (claim != null) {
        known = true;
        since = Math.min(since, pending.earliestDecision(claim, grant.storeMicros(), now));
      }
    }
    if (known) {
      effects.reached(Transition.GRANT_PUSHED);
      granted(grant, since, now);
    } else if (releases.isWithdrawing(grant)) {
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
      if (pending.find(number) != null) {
        effects.reached(Transition.GRANT_FOUND);
        granted(grant, sentNanos, now);
        return;
      }
    }
    boolean ends =
        releases.isReleasing(grant) || releases.isWithdrawing(grant) || isLeftToEnd(grant.grant());
    if (!ends && !isCurrent(grant.grant())) {
      effects.reached(Transition.GRANT_ORPHANED);
      releases.release(PendingRelease.orphan(grant, now), null);
    }
  }

  /** Returns whether this client has left a grant to end at the store by itself. */
  boolean isLeftToEnd(long grant) {
    return false;
  }

  /** Returns whether this client has a grant with this grant. */
  abstract boolean isCurrent(long grant);

  /** Returns whether this grant is not over. */
  abstract boolean isCurrent(CurrentGrant grant);

  /**
   * Returns whether a grant out of the queue may be served before it is confirmed: if that does no
   * harm at this store, and if there is time left to do so. If the news of it was lost, the poll
   * that finds it comes when most of the claim deadline is over.
   */
  final boolean maySupposeConfirmed(CurrentGrant fresh, long now) {
    long enoughNanos = Math.min(fresh.leaseNanos / 2, 2 * policy.confirmAfterNanos());
    boolean isOver = !fresh.isValid(now); // then there is nothing to confirm
    boolean may =
        isOver || (!policy.confirmsHandOver() && fresh.validUntilNanos() - now >= enoughNanos);
    effects.reached(may ? Transition.GRANT_SUPPOSED_CONFIRMED : Transition.GRANT_CONFIRMED_FIRST);
    return may;
  }

  /** Makes a holder of a request that was granted. */
  final Hold hold(Waiter waiter, CurrentGrant grant, long now) {
    long end = waiter.fixed ? now + waiter.leaseNanos : Instants.NEVER;
    Hold fresh = waiter.makeHold(grant, grant.nextToken(), now, end);
    renewals.plan(grant, fresh, now);
    return fresh;
  }

  /** Tells a caller that its request was granted. */
  final void settle(Waiter waiter, Hold fresh, long arrival, boolean passed, long now) {
    if (passed) {
      effects.reached(Transition.HOLD_PASSED_ON);
    }
    waiter.grant(fresh);
    effects.settled(waiter);
    if (passed && effects.wants(LockEvent.HandedOver.class)) {
      effects.event(new LockEvent.HandedOver(resource.kind(), name, fresh.token));
    }
    if (effects.wants(LockEvent.Acquired.class)) {
      Duration waited = since(waiter.startNanos, now);
      OptionalLong place = arrival < 0 ? OptionalLong.empty() : OptionalLong.of(arrival);
      effects.event(new LockEvent.Acquired(resource.kind(), name, fresh.token, waited, place));
    }
  }

  /** Ends a grant against its holder's wish. */
  abstract void endGrant(CurrentGrant lost, Reason reason, long now);

  /** Counts the end of a grant. */
  final void ended(Reason reason, boolean held) {
    if (reason == Reason.EXPIRED) {
      effects.reached(held ? Transition.GRANT_EXPIRED_HELD : Transition.GRANT_EXPIRED_UNHELD);
    } else if (reason == Reason.NOT_AT_STORE) {
      effects.reached(Transition.GRANT_NOT_AT_STORE);
    }
  }

  final void loseHold(Hold holder, Reason reason, long now) {
    Reason why =
        reason == Reason.EXPIRED && holder.isAtFixedEnd(now) ? Reason.FIXED_LEASE_ENDED : reason;
    LeaseLost news = new LeaseLost(resource.kind(), name, holder.token, why);
    holder.lose(news, now);
    if (holder.owner != null) {
      effects.remember(holder.owner, holder);
    }
    forget(holder); // last: a thread that no longer finds its hold must find its loss
    for (ManualRenewal wish : holder.grant.takeWishes()) {
      effects.renewed(wish, new LeaseLostException(news));
    }
    effects.lost(holder);
    if (effects.wants(LockEvent.Lost.class)) {
      effects.event(new LockEvent.Lost(resource.kind(), name, holder.token, why));
    }
  }

  /** Forgets a hold. */
  abstract void forget(Hold holder);

  /** Ends a hold if its owner is a thread that has died; returns whether that is so. */
  final boolean loseIfOrphaned(Hold holder, long now) {
    if (holder.state != Hold.State.HELD || holder.owner == null || holder.owner.isAlive()) {
      return false;
    }
    loseHold(holder, Reason.OWNER_DIED, now);
    return true;
  }

  // ---------------------------------------------------------------- answers

  /** Takes in the answer to a release that was sent at {@code sentNanos}. */
  public final void releaseAnswered(
      PendingRelease release,
      @Nullable Claim requeue,
      long sentNanos,
      Outcome<ReleaseAnswer> outcome,
      long now) {
    if (!(outcome instanceof Outcome.Answered<ReleaseAnswer> answered)) {
      if (requeue != null && pending.has(requeue)) {
        pending.retry(requeue, now);
      }
      releaseFailed(release, outcome, now);
      return;
    }
    pending.heard();
    ReleaseAnswer answer = answered.answer();
    boolean isOpen = !answer.released() && release.restMillis(now) > 0;
    releases.over(release, isOpen ? lost(release) : null);
    touch(now);
    effects.reached(
        answer.released() ? Transition.RELEASE_CONFIRMED : Transition.RELEASE_CAME_TOO_LATE);
    if (requeue != null && answer.requeued() != null && pending.has(requeue)) {
      pending.queued(requeue, answer.requeued(), sentNanos, now);
    }
    if (answer.next() != null) {
      seen(answer.next(), sentNanos, now);
    }
  }

  private LeaseLostException lost(PendingRelease release) {
    return new LeaseLostException(
        new LeaseLost(resource.kind(), name, release.usedToken, Reason.NOT_AT_STORE));
  }

  public final void withdrawAnswered(
      PendingRelease withdrawal, Outcome<WithdrawAnswer> outcome, long now) {
    leavingAnswered(withdrawal, outcome, now);
    if (outcome instanceof Outcome.Answered) {
      effects.reached(Transition.WITHDRAWAL_CONFIRMED);
      pending.heard();
      releases.over(withdrawal);
      touch(now);
    } else if (outcome instanceof Outcome.Refused && withdrawal.endsWithRefusal()) {
      releases.over(withdrawal);
      touch(now);
    } else {
      releaseFailed(withdrawal, outcome, now);
    }
  }

  private void releaseFailed(PendingRelease release, Outcome<?> outcome, long now) {
    if (outcome instanceof Outcome.Unknown<?> unknown) {
      pending.silent(unknown.cause(), now);
    }
    releases.failed(release, now);
    touch(now);
  }

  /** Takes in the answer to a renewal that was sent at {@code sentNanos}. */
  public void renewAnswered(
      CurrentGrant renewed,
      RenewRequest request,
      long sentNanos,
      Outcome<RenewAnswer> outcome,
      long now) {
    if (outcome instanceof Outcome.Unknown<RenewAnswer> unknown) {
      pending.silent(unknown.cause(), now);
    } else {
      pending.heard();
    }
    renewed.renewing = false;
    if (!isCurrent(renewed)) {
      effects.reached(Transition.RENEWAL_OF_THE_PAST);
      return; // released or lost meanwhile: nothing comes back to life
    }
    if (!renewed.isValid(now)) {
      endGrant(renewed, Reason.EXPIRED, now);
    } else if (outcome instanceof Outcome.Answered<RenewAnswer> answered) {
      if (!answered.answer().renewed()) {
        endGrant(renewed, Reason.NOT_AT_STORE, now);
      } else if (renewals.extend(renewed, request, sentNanos)) {
        effects.reached(Transition.RENEWED);
        extended(renewed, request, sentNanos, answered.answer().othersWait(), now);
      } else { // somebody was faster to see that it is over
        endGrant(renewed, Reason.EXPIRED, now);
      }
    } else {
      effects.reached(Transition.RENEWAL_UNKNOWN);
      renewals.failed(renewed, holder(renewed), outcome, now);
    }
  }

  /** Returns who holds by a grant, or null if nobody does. */
  abstract @Nullable Hold holder(CurrentGrant grant);

  private void extended(
      CurrentGrant renewed, RenewRequest request, long sentNanos, boolean othersWait, long now) {
    Hold holder = holder(renewed);
    if (holder != null && !renewals.extendFixed(renewed, holder, sentNanos)) {
      expire(holder, now);
    }
    if (isCurrent(renewed)) {
      renewals.extended(renewed, holder(renewed), request, now);
      extended(renewed, othersWait, now);
    }
  }

  /** Records that a renewal was carried out, and whether others wait. */
  abstract void extended(CurrentGrant renewed, boolean othersWait, long now);

  public final void lookAnswered(
      PollRequest request, long sentNanos, Outcome<PollAnswer> outcome, long now) {
    Claim asked = pending.find(request.claim());
    pending.lookOver(asked);
    if (!(outcome instanceof Outcome.Answered<PollAnswer> answered)) {
      pollFailed(outcome, now);
      return;
    }
    pending.heard();
    PollAnswer answer = answered.answer();
    if (answer instanceof Queued queued) {
      pending.polled(queued, sentNanos, now);
      return;
    }
    pending.lookLater(now);
    if (answer instanceof PollAnswer.Granted granted) {
      effects.reached(Transition.LOOK_FOUND_GRANT);
      seen(granted.grant(), sentNanos, now);
    } else if (asked != null) {
      effects.reached(Transition.LOOK_FOUND_NOTHING);
      pending.askAgain(asked, now);
    }
  }

  private void pollFailed(Outcome<PollAnswer> outcome, long now) {
    pending.pollFailed(now);
    RuntimeException failure = failure(outcome); // a refusal too says nothing about the queue
    pending.silent(failure, now);
    if (pending.isPatienceOver(now)) {
      for (Claim claim : pending.claims()) {
        failClaim(claim, failure, now);
      }
    }
  }

  private RuntimeException failure(Outcome<PollAnswer> outcome) {
    if (outcome instanceof Outcome.Refused<PollAnswer> refused) {
      return new StoreRefusedException(refused.problem(), about(refused.message()));
    }
    Throwable cause =
        outcome instanceof Outcome.Unknown<PollAnswer> unknown ? unknown.cause() : null;
    return policy.unavailable(about("the store does not answer"), cause);
  }

  /** Takes in the answer to a request that gives back a part. */
  public void shrinkAnswered(
      CurrentGrant grant, RenewRequest request, Outcome<RenewAnswer> outcome, long now) {}

  // ---------------------------------------------------------------- notifications

  /** Another client waits. */
  public void contended(long now) {}

  /**
   * Records that what this client holds may have been taken away: the answer to a renewal tells.
   */
  public abstract void revoked(long now);

  /** Notifications may have been missed, and what failed may work again. */
  public void reconnected(long now) {
    effects.reached(Transition.NOTIFICATION_RECONNECTED);
    pending.reconnected(now);
    releases.reconnected(now);
  }

  // ---------------------------------------------------------------- time

  /** Does what is due; renewals and polls are left to {@code due}, to be sent with others'. */
  public void tick(long now, DueRequests due) {
    if (now >= Math.min(pending.retryNanos(), releases.retryNanos())) {
      pending.retry(now); // both: what was too early a time for one is forgotten with the other
      releases.retry(now);
    }
    timeOutAsync(now);
    if (now >= leavesNanos()) {
      for (Leaving each : List.copyOf(leaving)) {
        if (now >= each.waiter.leavesByNanos) {
          leaveUnconfirmed(each.waiter, now);
        }
      }
    }
    for (PollRequest poll : pending.takePollsIfDue(now)) {
      due.poll(poll);
    }
  }

  private void timeOutAsync(long now) {
    if (now < asyncDeadlineNanos) {
      return;
    }
    asyncDeadlineNanos = Instants.NEVER;
    for (Waiter waiter : waiters()) {
      if (waiter.isAsync() && waiter.isWaiting()) {
        if (now >= waiter.deadlineNanos) {
          timeOut(waiter, now);
        } else {
          asyncDeadlineNanos = Math.min(asyncDeadlineNanos, waiter.deadlineNanos);
        }
      }
    }
  }

  /** Ends a wait with a failure; returns false if it is over already. */
  public final boolean refuse(Waiter waiter, RuntimeException cause, long now) {
    if (!leave(waiter, now)) {
      return false;
    }
    waiter.failure = cause;
    if (waiter.isOver()) {
      effects.settled(waiter);
    }
    return true;
  }

  /** Returns whether any request waits. */
  public boolean isAwaited() {
    return pending.hasClaims();
  }

  /** Returns a waiting request's place in the store's order of arrival, or -1 if it is unknown. */
  public final long arrivalOf(Waiter waiter) {
    Claim claim = claimOf(waiter);
    return claim == null ? -1 : claim.arrival;
  }

  /** Returns the claim that stands for a request: its own, served or not, or the shared one. */
  private @Nullable Claim claimOf(Waiter waiter) {
    if (!waiter.hasClaim()) {
      return pending.sharedClaim();
    }
    Claim claim = pending.find(waiter.claim());
    return claim == null ? grantedClaim(waiter.claim()) : claim;
  }

  /** Returns the claim of this number that was granted and is still to be served. */
  abstract @Nullable Claim grantedClaim(long number);

  /** Returns all that is held. */
  public abstract List<Hold> holds();

  /** Returns all requests that may still be waiting. */
  public abstract List<Waiter> waiters();

  /** Returns when something is due next. */
  public final long dueNanos() {
    long sent = Math.min(pending.dueNanos(), releases.retryNanos());
    long due =
        Math.min(Math.min(sent, leavesNanos()), Math.min(asyncDeadlineNanos, grantsDueNanos()));
    return isIdle() ? Math.min(due, Instants.sweepAfter(idleSinceNanos + IDLE_NANOS)) : due;
  }

  /** Returns when the next request that is leaving ends without the store's answer. */
  private long leavesNanos() {
    long earliest = Instants.NEVER;
    for (Leaving each : leaving) {
      earliest = Math.min(earliest, each.waiter.leavesByNanos);
    }
    return earliest;
  }

  /** Returns when something is due about what is granted, or an earlier time. */
  abstract long grantsDueNanos();

  abstract boolean isIdle();

  /** Returns whether the store owes no answer. */
  final boolean isNothingPending() {
    return pending.isIdle() && releases.isEmpty() && leaving.isEmpty();
  }

  /** Returns whether nothing has happened here for a while. */
  public final boolean isRetirable(long now) {
    return isIdle() && now - idleSinceNanos >= IDLE_NANOS;
  }

  public final boolean hasReleases() {
    return !releases.isEmpty();
  }

  final void touch(long now) {
    idleSinceNanos = now;
  }

  final String about(String message) {
    return "'" + name + "': " + message;
  }

  // ---------------------------------------------------------------- close

  /** Ends everything: waits fail, holds are lost, and what the store knows is taken back. */
  public final void close(long now) {
    LockkeeperClosedException closed =
        new LockkeeperClosedException(about("this client was closed"));
    for (Claim claim : pending.claims()) {
      if (resource.kind() != ResourceKind.BARRIER
          || claim.waiter == null
          || !refuse(claim.waiter, closed, now)) {
        failClaim(claim, closed, now);
      }
    }
    closeGrants(closed, now);
  }

  /** Ends what is granted, and the waits that have no claim. */
  abstract void closeGrants(LockkeeperClosedException closed, long now);

  /** Checks what must always hold; called after every step where assertions are on. */
  public abstract boolean isSound();
}
