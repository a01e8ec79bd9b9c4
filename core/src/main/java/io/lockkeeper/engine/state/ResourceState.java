package io.lockkeeper.engine.state;

import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLost.Reason;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.LockEvent;
import io.lockkeeper.LockObserver.Via;
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
 * <pre>
 *   callers ---> LocalHandOff (a queue of Waiters) --.                 .-- unserved: claim, claim, ...
 *                                                     |--> Claims ==> CurrentGrant --> Hold --> a caller
 *   callers ---> one Claim each ---------------------'     (store)
 * </pre>
 *
 * <p>A lock has one grant at a time. Its requests for throughput ({@link Waiter.Order#SHARED})
 * queue here and are represented at the store by <i>one</i> claim, the shared one ({@link
 * LocalHandOff}). All other requests, and all requests for what has several holders, each have a
 * claim of their own in the store's queue. The store answers with a grant for one claim, or for a
 * batch of a lock's; it becomes a {@link CurrentGrant}. While a grant has no holder, {@link
 * #advance} looks for the next one in the order of its claims, and when all are served gives the
 * grant back to the store.
 *
 * <p>A hold of several permits may shrink ({@link #shrink}): a writer becomes a reader, a part of
 * several permits is given back. The holder goes on at once. A request, which goes out in its turn,
 * tells the store, so that what this client asks for later finds the part free; if that is not
 * answered, each renewal says it again until one is.
 *
 * <p>A grant of a barrier is only the news that all have come. It is given back as soon as it
 * arrives; its lease does not matter. If its claim was sent more than once, the claim is taken back
 * with it, because a copy that comes later would count as a member of the next group.
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
 * Renewals}, {@link GrantTable}, {@link LocalHandOff}) has been.
 *
 * <p>Not thread-safe: guarded by the coordinator's mutex.
 */
public final class ResourceState {

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

  /**
   * By how much later than its client the store may end a permit of fixed length. Either counts
   * from its own moment, which a busy machine may have far apart.
   */
  private static final long MAX_LATER_AT_STORE_NANOS = 1_000_000_000;

  /** The time that a request wants which is only to give back a part: the store shortens none. */
  private static final long NO_MORE_MILLIS = 1;

  private final ResourceId resource;

  /** The name that the user chose. */
  private final String name;

  private final ResourceKind kind;
  private final Policy policy;
  private final Effects effects;
  private final PendingReleases releases;
  private final PendingClaims pending;
  private final Renewals renewals;

  /** The requests that a lock's shared claim stands for; null if each request has its claim. */
  private final @Nullable LocalHandOff local;

  private final GrantTable grants;

  /** A lower bound for the deadlines of the asynchronous requests. */
  private long asyncDeadlineNanos = Instants.NEVER;

  private long idleSinceNanos;

  /** The requests that are leaving, in the order in which they began to. */
  private final List<Leaving> leaving = new ArrayList<>();

  private record Leaving(Waiter waiter, PendingRelease withdrawal) {}

  /** Creates the state of a resource of which nothing is known. */
  public ResourceState(ResourceId resource, Policy policy, Effects effects, long now) {
    this.resource = resource;
    this.name = resource.name();
    this.kind = resource.kind();
    this.policy = policy;
    this.effects = effects;
    this.releases = new PendingReleases(policy, effects);
    this.local = kind.isExclusive() ? new LocalHandOff(policy) : null;
    this.pending = new PendingClaims(resource, policy, effects, releases, local == null);
    this.grants = new GrantTable(local != null);
    this.renewals = new Renewals(resource, policy, effects);
    this.idleSinceNanos = now;
  }

  // ---------------------------------------------------------------- callers

  /** Returns what a thread holds, or null. Read without the mutex by that thread. */
  public @Nullable Hold holdOf(Thread thread) {
    return grants.holdOf(thread);
  }

  /** Returns what is held by a grant of this number, or null. */
  public @Nullable Hold holdBy(long grant) {
    Granted granted = grants.find(grant);
    return granted == null ? null : granted.hold;
  }

  /** Returns whether a grant of this number was given back, which is not confirmed yet. */
  public boolean isReleasing(long grant) {
    return releases.isReleasing(grant);
  }

  /**
   * Registers for when the store has confirmed all that was given back of a grant, or that has
   * become pointless; returns false if there is nothing to wait for.
   */
  public boolean awaitConfirmation(CurrentGrant grant, Completion listener) {
    if (!isCurrent(grant)) {
      return releases.await(grant, listener);
    }
    if (grant.keptPermits == 0) {
      return false;
    }
    grant.addShrinkListener(listener);
    return true;
  }

  /** Returns who waits for a release to be confirmed. */
  public List<Completion> releaseListeners() {
    return releases.listeners();
  }

  /** Returns whether this client is known to hold the resource. Read without the mutex. */
  public boolean isHeld(long now) {
    return grants.isHeld(now);
  }

  /** Takes the resource for a running caller if it is open to it. */
  public boolean takeIfOpen(Waiter waiter, long now) {
    Granted granted = local == null ? null : local.takeOpen(waiter, now);
    if (granted == null) {
      return false;
    }
    boolean wasIdle = granted.grant.isIdle();
    if (wasIdle) {
      effects.reached(Transition.GRANT_IDLE_TAKEN);
    }
    granted.grant.idleUntilNanos = Instants.NEVER;
    grantTo(waiter, granted, now, -1, wasIdle);
    return true;
  }

  /** Lets a request in: it is granted, or refused, or waits. */
  public void enter(Waiter waiter, long now) {
    if (local == null) {
      pending.sendOwn(waiter, now);
    } else if (!takeIfOpen(waiter, now)) {
      endIdling(now); // not for this one
      switch (waiter.order) {
        case SHARED -> {
          local.add(waiter);
          ensureSharedClaim(local, now);
        }
        case STRICT -> pending.sendOwn(waiter, now);
        case ONCE -> {
          if (grants.isEmpty() && local.isEmpty() && !pending.hasClaims()) {
            pending.sendOwn(waiter, now);
          } else {
            effects.reached(Transition.REQUEST_REFUSED_AS_TAKEN_HERE);
            giveUp(waiter, now); // another thread of this client has it or is about to
          }
        }
      }
    }
    noteDeadline(waiter);
  }

  private void noteDeadline(Waiter waiter) {
    if (waiter.isAsync() && waiter.isWaiting()) {
      asyncDeadlineNanos = Math.min(asyncDeadlineNanos, waiter.deadlineNanos);
    }
  }

  /**
   * Takes a waiting request out; returns false if it is not waiting any more. If its claim has to
   * be taken back, the request is {@linkplain Waiter.State#LEAVING leaving} until the store has
   * answered: what is released after its end goes to nobody who has left.
   */
  public boolean leave(Waiter waiter, long now) {
    if (!waiter.isWaiting()) {
      return false;
    }
    waiter.beginToLeave(now + MAX_LEAVING_NANOS);
    PendingRelease withdrawal = takeOut(waiter, now);
    if (withdrawal == null) {
      left(waiter, now);
    } else {
      if (!withdrawal.isOfAnsweredClaim && kind != ResourceKind.BARRIER) {
        waiter.leavesByNanos = now + MAX_LEAVING_UNHEARD_NANOS;
      }
      leaving.add(new Leaving(waiter, withdrawal));
    }
    return true;
  }

  /** Takes out a request that is leaving; returns the withdrawal of its claim, if there is one. */
  private @Nullable PendingRelease takeOut(Waiter waiter, long now) {
    touch(now);
    if (local == null || waiter.hasClaim()) {
      Claim own = pending.find(waiter.claim());
      // Without it, its claim is in a grant, and advance() skips it.
      return own == null ? null : pending.withdraw(own, now);
    }
    local.remove(waiter);
    Granted open = local.open();
    if (open != null) {
      advance(open, now);
    }
    Claim claim = pending.sharedClaim();
    return local.isEmpty() && claim != null ? pending.withdraw(claim, now) : null;
  }

  private void left(Waiter waiter, long now) {
    waiter.leave();
    abandoned(waiter, now);
  }

  /** Ends a request that is leaving, although the store has not answered. */
  public void leaveUnconfirmed(Waiter waiter, long now) {
    if (waiter.isLeaving()) {
      effects.reached(Transition.REQUEST_LEFT_UNCONFIRMED);
      leaving.removeIf(each -> each.waiter == waiter);
      if (kind == ResourceKind.BARRIER && waiter.failure == null) {
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
  public void leaveUnconfirmed(long now) {
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
  private void passed(Waiter waiter, CurrentGrant passed, long arrival, long now) {
    Hold news = waiter.makeHold(passed, passed.nextToken(), now, now);
    news.release(now);
    settle(waiter, news, arrival, false, now);
  }

  /**
   * Takes out a request whose time is over. If the store has said nothing at all about it, it fails
   * with that, and at once.
   */
  public void timeOut(Waiter waiter, long now) {
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
  private boolean timedOutInSilence(Waiter waiter, long now) {
    if (local == null) {
      return isSilent(pending.find(waiter.claim()), now);
    }
    Claim claim = waiter.hasClaim() ? pending.find(waiter.claim()) : pending.sharedClaim();
    return grants.isEmpty() && isSilent(claim, now);
  }

  /** Returns whether nothing has been heard about a claim, and not only because it is young. */
  private boolean isSilent(@Nullable Claim claim, long now) {
    return claim != null
        && claim.state == Claim.State.SENT
        && (claim.failures > 0 || now - claim.bornNanos >= IDLE_NANOS || policy.isStoreSilent());
  }

  /** Returns the thread of this client that holds the resource alone, or null. */
  private @Nullable Thread holderHere() {
    Hold hold = grants.lockHold();
    return hold == null ? null : hold.acquirer();
  }

  private void giveUp(Waiter waiter, long now) {
    waiter.holder = holderHere();
    waiter.leave();
    abandoned(waiter, now);
    effects.settled(waiter);
  }

  private void fail(Waiter waiter, RuntimeException cause, long now) {
    if (waiter.isWaiting()) {
      waiter.fail(cause);
      abandoned(waiter, now);
      effects.settled(waiter);
    }
  }

  private void abandoned(Waiter waiter, long now) {
    if (effects.wants(LockEvent.Abandoned.class)) {
      effects.event(new LockEvent.Abandoned(kind, name, since(waiter.startNanos, now)));
    }
  }

  static Duration since(long startNanos, long now) {
    return Duration.ofNanos(Math.max(0, now - startNanos));
  }

  /** Ends a hold at its holder's wish. */
  public void release(Hold released, long now) {
    leaveHeld(released, now);
    grants.forget(released);
    vacated(released, now);
  }

  /**
   * Asks the store again about everything that has no answer, because an error, as of memory or of
   * the stack, may have come between a decision and its request. Repeating does no harm.
   */
  public void afterError(long now) {
    pending.askAgain(now);
    releases.askAgain(now);
  }

  /** Marks a hold as released, and tells those who count on it. */
  private void leaveHeld(Hold released, long now) {
    effects.reached(Transition.HOLD_RELEASED);
    released.release(now);
    if (effects.wants(LockEvent.Released.class)) {
      effects.event(
          new LockEvent.Released(kind, name, released.token, since(released.acquiredNanos, now)));
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
    if (local == null) {
      throw new UnsupportedOperationException(about("only a lock can stay closed after a release"));
    }
    leaveHeld(released, now);
    grants.forget(released);
    effects.reached(Transition.GRANT_GIVEN_BACK_TO_REST);
    CurrentGrant done = released.grant;
    Granted granted = grants.find(done);
    List<Claim> unserved = granted == null ? List.of() : List.copyOf(granted.unserved);
    remove(done, now);
    PendingRelease resting = PendingRelease.rest(done, now, now + restNanos);
    resting.addListener(known);
    releases.release(resting, null);
    askAgain(unserved, now);
  }

  /** Keeps only so many permits of a hold, and gives the others back. */
  public void shrink(Hold hold, int permits, long now) {
    if (local != null) {
      throw new IllegalStateException(about("cannot be held in part"));
    }
    effects.reached(Transition.HOLD_SHRUNK);
    hold.permits = permits;
    CurrentGrant grant = hold.grant;
    grant.keptPermits = permits;
    effects.shrink(grant, new RenewRequest(resource, null, grant.number, NO_MORE_MILLIS, permits));
  }

  /** Notices that a hold's time is over, if it is. */
  public void expire(Hold overdue, long now) {
    if (overdue.state != Hold.State.HELD || overdue.isValid(now)) {
      return;
    }
    if (overdue.grant.isValid(now)) {
      effects.reached(Transition.HOLD_FIXED_LEASE_ENDED);
      loseHold(overdue, Reason.FIXED_LEASE_ENDED, now);
      if (endsByItself(overdue, now)) {
        remove(overdue.grant, now);
        grants.leaveToEnd(overdue.grant, now);
      } else {
        vacated(overdue, now);
      }
    } else {
      endGrant(overdue.grant, Reason.EXPIRED, now);
    }
  }

  /** Finds the next holder for the grant of a hold that has ended. */
  private void vacated(Hold over, long now) {
    Granted granted = grants.find(over.grant);
    if (granted != null) {
      advance(granted, now);
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

  /** Plans to renew a hold soon. */
  public void renew(Hold hold, ManualRenewal wish, long now) {
    hold.grant.wishes.add(wish);
    hold.grant.renewNanos = now;
    grants.plan(hold.grant);
  }

  // ---------------------------------------------------------------- claims

  /** Takes in the answer to a claim that was sent at {@code sentNanos}. */
  public void claimAnswered(Claim claim, long sentNanos, Outcome<ClaimAnswer> outcome, long now) {
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

  /** Makes and sends the shared claim if requests need one. */
  private void ensureSharedClaim(LocalHandOff waiting, long now) {
    Waiter first = waiting.first();
    if (first != null && pending.sharedClaim() == null && !grants.hasSharedClaim()) {
      effects.claim(pending.makeShared(first, now));
    }
  }

  /** Fails every request that counts on a claim, and takes the claim back. */
  private void failClaim(Claim claim, RuntimeException cause, long now) {
    boolean forAll = claim == pending.sharedClaim();
    pending.withdraw(claim, now);
    if (claim.waiter != null) {
      fail(claim.waiter, cause, now);
    }
    if (forAll) {
      failShared(cause, now);
    }
  }

  /** Fails the requests that have no claim of their own. */
  private void failShared(RuntimeException cause, long now) {
    if (local != null) {
      for (Waiter waiter : local.waiters()) {
        local.remove(waiter);
        fail(waiter, cause, now);
      }
    }
  }

  // ---------------------------------------------------------------- grants

  /** Takes in a grant that was pushed. */
  public void pushed(Grant grant, long now) {
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
  private void granted(Grant grant, long sinceNanos, long now) {
    if (grants.has(grant.grant()) || (local != null && !replaces(grant, now))) {
      return; // it came twice, or late
    }
    List<Claim> claims = new ArrayList<>(grant.claims().size());
    for (long number : grant.claims()) {
      Claim claim = pending.find(number);
      if (claim != null) {
        pending.remove(claim);
        claims.add(claim);
      }
    }
    CurrentGrant fresh = new CurrentGrant(grant, sinceNanos, now);
    fresh.leaseNanos = claims.isEmpty() ? 0 : claims.get(0).request.leaseMillis() * 1_000_000;
    if (kind == ResourceKind.BARRIER) {
      claims.forEach(claim -> pass(claim, fresh, now));
    } else {
      begin(new Granted(fresh, claims), now);
    }
  }

  /** Ends the grant of a lock that a later one replaces; returns false if it is the later one. */
  private boolean replaces(Grant grant, long now) {
    for (Granted known : grants.all()) {
      if (grant.firstToken() <= known.grant.firstToken) {
        return false;
      }
      effects.reached(Transition.GRANT_REPLACED);
      endGrant(known.grant, Reason.NOT_AT_STORE, now);
    }
    return true;
  }

  private void begin(Granted granted, long now) {
    CurrentGrant fresh = granted.grant;
    Claim first = granted.unserved.peekFirst();
    if (local != null) {
      fresh.othersWait |= !policy.hearsOthers();
      fresh.isNamedByRenewals =
          first == null || granted.unserved.size() > 1 || first.request.label().isEmpty();
    }
    if (!fresh.confirmed) {
      fresh.ready = maySupposeConfirmed(fresh, now);
      fresh.renewNanos = fresh.ready ? now + policy.confirmAfterNanos() : now;
    }
    grants.add(granted);
    advance(granted, now);
  }

  /** Lets a member of a barrier go on, and tells the store that it knows. */
  private void pass(Claim claim, CurrentGrant passed, long now) {
    Waiter waiter = claim.waiter;
    if (waiter != null && waiter.isWaiting()) {
      effects.reached(
          claim.doubtful ? Transition.BARRIER_PASSED_IN_DOUBT : Transition.BARRIER_PASSED);
      passed(waiter, passed, claim.sureArrival(), now);
    }
    touch(now);
    if (claim.doubtful) {
      pending.takeBack(claim, now);
    } else {
      releases.release(PendingRelease.release(passed, now), null);
    }
  }

  /** Finds the next holder for a grant that has none, or gives the grant back. */
  private void advance(Granted granted, long now) {
    CurrentGrant grant = granted.grant;
    if (!grant.ready || granted.hold != null) {
      return;
    }
    if (local != null) {
      local.close();
    }
    if (!grant.isValid(now)) {
      endGrant(grant, Reason.EXPIRED, now);
      return;
    }
    for (Claim claim = granted.unserved.peekFirst();
        claim != null;
        claim = granted.unserved.peekFirst()) {
      Waiter own = claim.waiter;
      if (own != null) {
        granted.unserved.removeFirst();
        if (own.isWaiting()) {
          grantTo(own, granted, now, claim.sureArrival(), false);
          return;
        }
      } else if (local != null) {
        if (serveShared(local, granted, now) || staysIdle(local, granted, now)) {
          return;
        }
        granted.unserved.removeFirst();
        if (!granted.unserved.isEmpty()) {
          ensureSharedClaim(local, now);
        }
      }
    }
    giveBack(grant, now);
  }

  /**
   * Serves the first shared waiter, or leaves the lock open for it; returns false if it may not.
   */
  private boolean serveShared(LocalHandOff waiting, Granted granted, long now) {
    Waiter first = waiting.first();
    if (first == null || !waiting.mayServe(granted, first, now)) {
      return false;
    }
    if (waiting.isHanded(granted.grant, first)) {
      waiting.remove(first);
      grantTo(first, granted, now, -1, false);
    } else {
      waiting.open(granted);
      if (!first.signalled) {
        first.signalled = true;
        effects.wake(first);
      }
    }
    return true;
  }

  /** Keeps a grant that nobody wants if it may be kept. */
  private boolean staysIdle(LocalHandOff waiting, Granted granted, long now) {
    boolean idles = waiting.mayIdle(granted, now);
    if (idles) {
      waiting.open(granted);
      if (!granted.grant.isIdle()) {
        effects.reached(Transition.GRANT_IDLE);
        granted.grant.idleUntilNanos = now + granted.grant.idleNanos;
        grants.plan(granted);
      }
    }
    return idles;
  }

  /** Gives a grant back that is idle. */
  private void endIdling(long now) {
    Granted open = local == null ? null : local.open();
    if (open != null && open.grant.isIdle()) {
      effects.reached(Transition.GRANT_IDLE_ENDED);
      giveBack(open.grant, now);
    }
  }

  /** Makes a holder of a request. */
  private void grantTo(Waiter waiter, Granted granted, long now, long arrival, boolean wasIdle) {
    CurrentGrant grant = granted.grant;
    boolean passed = false;
    if (local != null && !waiter.hasClaim()) {
      passed = grant.sharedServed;
      grant.passes += passed ? 1 : 0;
      grant.sharedServed = true;
      grant.idleNanos = waiter.idleNanos;
    }
    long end = waiter.fixed ? now + waiter.leaseNanos : Instants.NEVER;
    Hold fresh = waiter.makeHold(grant, grant.nextToken(), now, end);
    renewals.plan(grant, fresh, now);
    if (passed) {
      fresh.cameVia(wasIdle ? Via.RETAINED : Via.HAND_OFF);
    }
    grants.hold(granted, fresh);
    settle(waiter, fresh, arrival, passed, now);
  }

  private void giveBack(CurrentGrant done, long now) {
    remove(done, now);
    Waiter first = local == null ? null : local.first();
    boolean requeue = first != null && pending.sharedClaim() == null;
    effects.reached(requeue ? Transition.GRANT_GIVEN_BACK_WITH_CLAIM : Transition.GRANT_GIVEN_BACK);
    releases.release(
        PendingRelease.release(done, now),
        requeue && first != null ? pending.makeShared(first, now) : null);
  }

  /** Takes a grant out that is over. */
  private void remove(CurrentGrant over, long now) {
    grants.remove(over);
    if (local != null) {
      local.close();
    }
    renewals.settleShrinking(over);
    touch(now);
  }

  /** Claims anew for the requests that waited for a grant that has gone. */
  private void askAgain(List<Claim> unserved, long now) {
    for (Claim claim : unserved) {
      if (claim.waiter != null && claim.waiter.isWaiting()) {
        effects.reached(Transition.GRANT_UNSERVED_CLAIM_AGAIN);
        pending.sendOwn(claim.waiter, now);
      }
    }
    if (local != null) {
      ensureSharedClaim(local, now);
    }
  }

  /** Takes in a grant that the store says is current: news, known already, or nobody's. */
  private void seen(Grant grant, long sentNanos, long now) {
    for (long number : grant.claims()) {
      if (pending.find(number) != null) {
        effects.reached(Transition.GRANT_FOUND);
        granted(grant, sentNanos, now);
        return;
      }
    }
    Granted known = grants.find(grant.grant());
    if (known != null && known.grant.lastToken < grant.firstToken()) {
      // Another client ended it before its claim was answered, and the claim was granted again.
      effects.reached(Transition.GRANT_REPLACED);
      endGrant(known.grant, Reason.NOT_AT_STORE, now);
    }
    boolean ends =
        releases.isReleasing(grant)
            || releases.isWithdrawing(grant)
            || grants.isLeftToEnd(grant.grant());
    if (!ends && !grants.has(grant.grant())) {
      effects.reached(Transition.GRANT_ORPHANED);
      releases.release(PendingRelease.orphan(grant, now), null);
    }
  }

  /** Returns whether this grant is not over. */
  private boolean isCurrent(CurrentGrant grant) {
    return grants.find(grant) != null;
  }

  /**
   * Returns whether a grant out of the queue may be served before it is confirmed: if that does no
   * harm at this store, and if there is time left to do so. If the news of it was lost, the poll
   * that finds it comes when most of the claim deadline is over.
   */
  private boolean maySupposeConfirmed(CurrentGrant fresh, long now) {
    long enoughNanos = Math.min(fresh.leaseNanos / 2, 2 * policy.confirmAfterNanos());
    boolean isOver = !fresh.isValid(now); // then there is nothing to confirm
    boolean may =
        isOver || (!policy.confirmsHandOver() && fresh.validUntilNanos() - now >= enoughNanos);
    effects.reached(may ? Transition.GRANT_SUPPOSED_CONFIRMED : Transition.GRANT_CONFIRMED_FIRST);
    return may;
  }

  /** Tells a caller that its request was granted. */
  private void settle(Waiter waiter, Hold fresh, long arrival, boolean passed, long now) {
    if (passed) {
      effects.reached(Transition.HOLD_PASSED_ON);
    }
    waiter.grant(fresh);
    effects.settled(waiter);
    if (passed && effects.wants(LockEvent.HandedOver.class)) {
      effects.event(new LockEvent.HandedOver(kind, name, fresh.token));
    }
    if (effects.wants(LockEvent.Acquired.class)) {
      Duration waited = since(waiter.startNanos, now);
      OptionalLong place = arrival < 0 ? OptionalLong.empty() : OptionalLong.of(arrival);
      effects.event(new LockEvent.Acquired(kind, name, fresh.token, waited, place));
    }
  }

  /** Ends a grant against its holder's wish. */
  private void endGrant(CurrentGrant lost, Reason reason, long now) {
    Granted granted = grants.find(lost);
    if (granted == null) {
      return;
    }
    remove(lost, now);
    Hold holder = granted.hold;
    ended(reason, holder != null);
    if (holder != null) {
      loseHold(holder, reason, now);
    }
    if (reason == Reason.EXPIRED && endsByItself(holder, now)) {
      grants.leaveToEnd(lost, now);
    } else if (reason != Reason.NOT_AT_STORE) {
      releases.release(PendingRelease.release(lost, now), null);
    }
    askAgain(List.copyOf(granted.unserved), now);
  }

  /** Counts the end of a grant. */
  private void ended(Reason reason, boolean held) {
    if (reason == Reason.EXPIRED) {
      effects.reached(held ? Transition.GRANT_EXPIRED_HELD : Transition.GRANT_EXPIRED_UNHELD);
    } else if (reason == Reason.NOT_AT_STORE) {
      effects.reached(Transition.GRANT_NOT_AT_STORE);
    }
  }

  private void loseHold(Hold holder, Reason reason, long now) {
    Reason why =
        reason == Reason.EXPIRED && holder.isAtFixedEnd(now) ? Reason.FIXED_LEASE_ENDED : reason;
    LeaseLost news = new LeaseLost(kind, name, holder.token, why);
    holder.lose(news, now);
    if (holder.owner != null) {
      effects.remember(holder.owner, holder);
    }
    grants.forget(holder); // last: a thread that no longer finds its hold must find its loss
    for (ManualRenewal wish : holder.grant.takeWishes()) {
      effects.renewed(wish, new LeaseLostException(news));
    }
    effects.lost(holder);
    if (effects.wants(LockEvent.Lost.class)) {
      effects.event(new LockEvent.Lost(kind, name, holder.token, why));
    }
  }

  /** Ends a hold if its owner is a thread that has died; returns whether that is so. */
  private boolean loseIfOrphaned(Hold holder, long now) {
    if (holder.state != Hold.State.HELD || holder.owner == null || holder.owner.isAlive()) {
      return false;
    }
    loseHold(holder, Reason.OWNER_DIED, now);
    return true;
  }

  // ---------------------------------------------------------------- answers

  /** Takes in the answer to a release that was sent at {@code sentNanos}. */
  public void releaseAnswered(
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
        new LeaseLost(kind, name, release.usedToken, Reason.NOT_AT_STORE));
  }

  public void withdrawAnswered(
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
    Granted granted = grants.find(renewed);
    if (granted == null) {
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
        extended(granted, request, sentNanos, answered.answer().othersWait(), now);
      } else { // somebody was faster to see that it is over
        endGrant(renewed, Reason.EXPIRED, now);
      }
    } else {
      effects.reached(Transition.RENEWAL_UNKNOWN);
      renewals.failed(renewed, granted.hold, outcome, now);
    }
    grants.plan(renewed);
  }

  /** Records that a renewal was carried out, and whether others wait. */
  private void extended(
      Granted granted, RenewRequest request, long sentNanos, boolean othersWait, long now) {
    CurrentGrant renewed = granted.grant;
    Hold holder = granted.hold;
    if (holder != null && !renewals.extendFixed(renewed, holder, sentNanos)) {
      expire(holder, now);
    }
    if (!isCurrent(renewed)) {
      return;
    }
    renewals.extended(renewed, granted.hold, request, now);
    if (othersWait) {
      contended(now);
    } else {
      renewed.othersWait = !policy.hearsOthers(); // others may wait without a word
    }
    boolean isOpen = local != null && local.open() == granted;
    if (isCurrent(renewed) && (!renewed.ready || isOpen)) {
      renewed.ready = true; // and it may be too long now for the waiter it is open to
      advance(granted, now);
    }
  }

  public void lookAnswered(
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

  /**
   * Takes in the answer to a request that gives back a part. If it did not come, the next renewal
   * repeats the request.
   */
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
      grants.plan(grant);
      return;
    }
    pending.heard();
    if (answered.answer().renewed()) {
      renewals.shrunk(grant, request);
    } else {
      endGrant(grant, grant.isValid(now) ? Reason.NOT_AT_STORE : Reason.EXPIRED, now);
    }
  }

  // ---------------------------------------------------------------- notifications

  /** Another client waits. */
  public void contended(long now) {
    effects.reached(Transition.NOTIFICATION_WANTED);
    for (Granted granted : grants.all()) {
      CurrentGrant grant = granted.grant;
      if (!grant.othersWait) {
        grant.othersWait = true;
        grant.passes = 0;
        grant.contestedSinceNanos = now;
        endIdling(now);
      }
    }
  }

  /**
   * Records that what this client holds may have been taken away: the answer to a renewal tells.
   */
  public void revoked(long now) {
    effects.reached(Transition.NOTIFICATION_REVOKED);
    for (Granted granted : grants.all()) {
      granted.grant.renewNanos = now;
      grants.plan(granted);
    }
  }

  /** Notifications may have been missed, and what failed may work again. */
  public void reconnected(long now) {
    effects.reached(Transition.NOTIFICATION_RECONNECTED);
    pending.reconnected(now);
    releases.reconnected(now);
    for (Granted granted : grants.all()) {
      if (granted.grant.renewNanos != Instants.NEVER) {
        granted.grant.renewNanos = now;
        grants.plan(granted);
      }
    }
  }

  // ---------------------------------------------------------------- time

  /** Does what is due; renewals and polls are left to {@code due}, to be sent with others'. */
  public void tick(long now, DueRequests due) {
    if (now >= grants.dueNanos()) {
      grants.beginTick();
      for (Granted granted : grants.all()) {
        tick(granted, now, due);
        grants.plan(granted.grant);
      }
      if (grants.forgetWhatIsLeft(now)) {
        touch(now);
      }
    }
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

  private void tick(Granted granted, long now, DueRequests due) {
    CurrentGrant grant = granted.grant;
    Hold holder = granted.hold;
    if (holder != null) {
      expire(holder, now);
      if (loseIfOrphaned(holder, now)) {
        vacated(holder, now);
      }
    } else if (!grant.isValid(now)) {
      endGrant(grant, Reason.EXPIRED, now);
    } else if (now >= grant.idleUntilNanos) {
      endIdling(now);
    }
    if (isCurrent(grant)) {
      RenewRequest request = renewals.takeIfDue(grant, granted.hold, now);
      if (request != null) {
        due.renew(grant, request);
      }
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
  public boolean refuse(Waiter waiter, RuntimeException cause, long now) {
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
    return pending.hasClaims() || (local != null && !local.isEmpty());
  }

  /** Returns a waiting request's place in the store's order of arrival, or -1 if it is unknown. */
  public long arrivalOf(Waiter waiter) {
    Claim claim = claimOf(waiter);
    return claim == null ? -1 : claim.arrival;
  }

  /** Returns the claim that stands for a request: its own, served or not, or the shared one. */
  private @Nullable Claim claimOf(Waiter waiter) {
    if (!waiter.hasClaim()) {
      return pending.sharedClaim();
    }
    Claim claim = pending.find(waiter.claim());
    return claim == null ? grants.unserved(waiter.claim()) : claim;
  }

  /** Returns the grants that are not over. */
  List<CurrentGrant> grants() {
    return grants.all().stream().map(granted -> granted.grant).toList();
  }

  /** Returns all that is held. */
  public List<Hold> holds() {
    return grants.holds();
  }

  /** Returns all requests that may still be waiting. */
  public List<Waiter> waiters() {
    List<Waiter> waiters = local == null ? new ArrayList<>() : local.waiters();
    List<Claim> claims = pending.claims();
    grants.all().forEach(granted -> claims.addAll(granted.unserved));
    for (Claim claim : claims) {
      if (claim.waiter != null) {
        waiters.add(claim.waiter);
      }
    }
    return waiters;
  }

  /** Returns when something is due next. */
  public long dueNanos() {
    long sent = Math.min(pending.dueNanos(), releases.retryNanos());
    long due =
        Math.min(Math.min(sent, leavesNanos()), Math.min(asyncDeadlineNanos, grants.dueNanos()));
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

  boolean isIdle() {
    return grants.isEmpty()
        && (local == null || local.isEmpty())
        && pending.isIdle()
        && releases.isEmpty()
        && leaving.isEmpty();
  }

  /** Returns whether nothing has happened here for a while. */
  public boolean isRetirable(long now) {
    return isIdle() && now - idleSinceNanos >= IDLE_NANOS;
  }

  public boolean hasReleases() {
    return !releases.isEmpty();
  }

  private void touch(long now) {
    idleSinceNanos = now;
  }

  private String about(String message) {
    return "'" + name + "': " + message;
  }

  // ---------------------------------------------------------------- close

  /** Ends everything: waits fail, holds are lost, and what the store knows is taken back. */
  public void close(long now) {
    LockkeeperClosedException closed =
        new LockkeeperClosedException(about("this client was closed"));
    for (Claim claim : pending.claims()) {
      if (kind != ResourceKind.BARRIER
          || claim.waiter == null
          || !refuse(claim.waiter, closed, now)) {
        failClaim(claim, closed, now);
      }
    }
    failShared(closed, now);
    for (Granted granted : grants.all()) {
      for (Claim claim : granted.unserved) {
        if (claim.waiter != null) {
          fail(claim.waiter, closed, now);
        }
      }
      endGrant(granted.grant, Reason.CLIENT_CLOSED, now);
    }
  }

  /** Checks what must always hold; called after every step where assertions are on. */
  public boolean isSound() {
    if (grants.size() > 100) {
      return true; // looked at often enough while there were fewer
    }
    for (Granted granted : grants.all()) {
      Hold holder = granted.hold;
      boolean isOpen = local != null && local.open() == granted;
      if (holder != null && (holder.state != Hold.State.HELD || holder.grant != granted.grant)) {
        throw new AssertionError("a hold outside its grant, in state " + holder.state);
      }
      if (holder == null && granted.grant.ready && !isOpen) {
        throw new AssertionError("a grant that serves nobody");
      }
      if (holder != null && isOpen) {
        throw new AssertionError("open while it is held");
      }
      if (granted.dueNanos() < grants.dueNanos()) {
        throw new AssertionError("something is due about a grant and nobody looks");
      }
    }
    return local == null || isSound(local);
  }

  private boolean isSound(LocalHandOff waiting) {
    Granted open = waiting.open();
    if (grants.size() > 1) {
      throw new AssertionError("a lock with two grants");
    }
    if (open != null
        && (grants.find(open.grant) != open || waiting.isEmpty() != open.grant.isIdle())) {
      throw new AssertionError("open without anybody to take it");
    }
    if (!waiting.isEmpty() && pending.sharedClaim() == null && !grants.hasSharedClaim()) {
      throw new AssertionError("shared waiters without a claim");
    }
    return true;
  }
}
