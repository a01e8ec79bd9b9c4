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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one client shares out one resource: a state machine without threads, I/O or clock. {@link
 * Gate} guards it with a mutex and tells it the time; what it wants done goes to {@link Effects}.
 *
 * <h2>The picture</h2>
 *
 * <pre>
 *   callers ---> shared (a queue of Waiters) --.                 .-- run: claim, claim, ...
 *                                               |--> Claims ==> Tenure --> Hold --> a caller
 *   callers ---> strict (one Claim each) ------'     (store)     (a grant)
 * </pre>
 *
 * <p>Requests for throughput ({@link Waiter.Order#SHARED}) queue here and are represented at the
 * store by <i>one</i> claim, the shared one. Strict requests each have a claim of their own in the
 * store's queue. The store answers with a grant for a run of claims; it becomes the {@link Tenure}.
 * While there is a tenure, {@link #advance} looks for the next local holder in the order of the
 * run, and when the run is served gives the grant back to the store.
 *
 * <h2>Passing locally</h2>
 *
 * A shared claim at the head of the run may serve many waiters in a row. It stops when others wait
 * at the store and it has passed {@link Waiter#localPasses} times or {@link #MAX_CONTESTED_NANOS}
 * are over, when the tokens run out, or when the lease is too far gone. Between two local holders
 * it does not hand over to the first waiter at once but leaves the gate <i>open</i> and wakes that
 * waiter: a running thread that asks meanwhile may take it, which saves the price of a context
 * switch. The first in line is passed by at most {@link #MAX_BYPASSES} times, then it is handed the
 * resource.
 *
 * <p>The idea of passing a global lock on inside a group is lock cohorting (Dice, Marathe and
 * Shavit, 2012); leaving it open for running threads is what {@code ReentrantLock} does.
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
final class GateState {

  /** How long a shared claim may go on serving local waiters once others wait at the store. */
  static final long MAX_CONTESTED_NANOS = 100_000_000;

  /** How often the first waiter in line may be overtaken by running threads. */
  static final int MAX_BYPASSES = 16;

  /** How long a gate without any business is kept. */
  private static final long IDLE_NANOS = 1_000_000_000;

  /** How long a loss is remembered for a thread that has not unlocked yet. */
  private static final long LOSS_KEPT_NANOS = 60_000_000_000L;

  private final String name;
  private final Policy policy;
  private final Effects effects;
  private final ClaimDesk desk;

  /** Requests that wait to be served through the shared claim. */
  private final WaiterQueue shared = new WaiterQueue();

  private @Nullable Tenure tenure;

  /** The current holder. Volatile: read without the mutex by the thread that may own it. */
  private volatile @Nullable Hold hold;

  /** Whether the tenure waits for whichever caller takes it first. */
  private boolean open;

  /** What threads have lost and not yet unlocked. */
  private final Map<Thread, Hold> losses = new LinkedHashMap<>();

  /**
   * Whether {@link #losses} has any; read without the mutex, to spare the common case its price.
   */
  private volatile boolean anyLosses;

  /** A lower bound for the deadlines of the asynchronous requests. */
  private long asyncDeadlineNanos = Margins.NEVER;

  private long idleSinceNanos;

  GateState(String name, Policy policy, Effects effects, long now) {
    this.name = name;
    this.policy = policy;
    this.effects = effects;
    this.desk = new ClaimDesk(name, policy, effects);
    this.idleSinceNanos = now;
  }

  // ---------------------------------------------------------------- callers

  @Nullable Hold hold() {
    return hold;
  }

  /** Takes the resource for a running caller if the gate is open to it. */
  boolean takeIfOpen(Waiter waiter, long now) {
    Tenure current = tenure;
    if (!open
        || current == null
        || waiter.order == Waiter.Order.STRICT
        || !current.isValid(now)
        || !fits(current, waiter, now)) {
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
    open = false;
    grantTo(waiter, current, now, -1);
    return true;
  }

  /** Lets a request in: it is granted, or refused, or waits. */
  void enter(Waiter waiter, long now) {
    if (takeIfOpen(waiter, now)) {
      return;
    }
    switch (waiter.order) {
      case SHARED -> {
        shared.add(waiter);
        ensureSharedClaim(now);
      }
      case STRICT -> desk.sendOwn(waiter, now);
      case ONCE -> {
        if (tenure == null && shared.isEmpty() && !desk.hasClaims()) {
          desk.sendOwn(waiter, now);
        } else {
          giveUp(waiter, now); // another thread of this client has it or is about to
        }
      }
    }
    if (waiter.isAsync() && waiter.isWaiting()) {
      asyncDeadlineNanos = Math.min(asyncDeadlineNanos, waiter.deadlineNanos);
    }
  }

  /** Takes a waiting request out; returns false if it is not waiting any more. */
  boolean leave(Waiter waiter, long now) {
    if (!waiter.isWaiting()) {
      return false;
    }
    waiter.leave();
    abandoned(waiter, now);
    Claim own = waiter.claim;
    if (own != null) {
      desk.withdraw(own, now); // or it is in the run, and advance() skips it
      return true;
    }
    shared.remove(waiter);
    if (open) {
      advance(now);
    }
    Claim claim = desk.sharedClaim();
    if (shared.isEmpty() && claim != null) {
      desk.withdraw(claim, now);
    }
    touch(now);
    return true;
  }

  /**
   * Returns whether a request that ran out of time did so because the store said nothing at all, as
   * opposed to somebody else holding the resource.
   */
  boolean timedOutInSilence(Waiter waiter, long now) {
    Claim claim = waiter.claim == null ? desk.sharedClaim() : waiter.claim;
    return tenure == null
        && claim != null
        && claim.state == Claim.State.SENT
        && (claim.failures > 0 || now - claim.bornNanos >= IDLE_NANOS);
  }

  private void giveUp(Waiter waiter, long now) {
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
    if (effects.listening()) {
      effects.event(new LockEvent.Abandoned(name, since(waiter.startNanos, now)));
    }
  }

  private static Duration since(long startNanos, long now) {
    return Duration.ofNanos(Math.max(0, now - startNanos));
  }

  /** Ends a hold at its holder's wish. */
  void release(Hold released, long now) {
    released.release();
    if (effects.listening()) {
      effects.event(
          new LockEvent.Released(name, released.token, since(released.acquiredNanos, now)));
    }
    hold = null;
    for (ManualRenewal wish : released.tenure.takeWishes()) {
      effects.renewed(wish, new IllegalStateException(about("the lease was released")));
    }
    advance(now);
  }

  /** Notices that a hold's time is over, if it is. */
  void expire(Hold overdue, long now) {
    if (overdue.state != Hold.State.HELD || overdue.isValid(now)) {
      return;
    }
    if (overdue.tenure.isValid(now)) {
      loseHold(overdue, Reason.FIXED_LEASE_ENDED, now);
      advance(now);
    } else {
      endTenure(Reason.EXPIRED, now);
    }
  }

  /** Has a hold renewed soon. */
  void renew(ManualRenewal wish, long now) {
    wish.hold().tenure.wishes.add(wish);
    wish.hold().tenure.renewNanos = now;
  }

  boolean anyLosses() {
    return anyLosses;
  }

  /** Returns what a thread has lost and not yet unlocked. */
  @Nullable Hold lossOf(Thread thread) {
    return losses.get(thread);
  }

  void forgetLossOf(Thread thread) {
    losses.remove(thread);
    anyLosses = !losses.isEmpty();
  }

  // ---------------------------------------------------------------- claims

  private void ensureSharedClaim(long now) {
    Waiter first = shared.first();
    boolean represented = desk.sharedClaim() != null || (tenure != null && tenure.runHasShared());
    if (first != null && !represented) {
      effects.claim(desk.makeShared(first.leaseNanos, now));
    }
  }

  /** Takes in the answer to a claim that was sent at {@code sentNanos}. */
  void claimAnswered(Claim claim, long sentNanos, Outcome<ClaimAnswer> outcome, long now) {
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
        && answered.answer() instanceof ClaimAnswer.Granted granted
        && !desk.isWithdrawing(granted.grant())) {
      seen(granted.grant(), sentNanos, now);
    }
  }

  private void claimAnswered(Claim claim, long sentNanos, ClaimAnswer answer, long now) {
    if (answer instanceof ClaimAnswer.Granted granted) {
      granted(granted.grant(), sentNanos, now);
    } else if (answer instanceof Queued queued) {
      desk.queued(claim, queued, sentNanos, now);
    } else if (answer instanceof ClaimAnswer.Busy) {
      desk.remove(claim);
      if (claim.waiter != null && claim.waiter.isWaiting()) {
        giveUp(claim.waiter, now);
      }
      touch(now);
    }
  }

  private void claimUnknown(Claim claim, Throwable cause, long now) {
    if (!claim.request.queue() || desk.isPatienceOver(now)) {
      failClaim(claim, policy.unavailable(about("the store does not answer"), cause), now);
    } else {
      desk.retry(claim, now);
    }
  }

  /** Fails every request that counts on a claim, and takes the claim back. */
  private void failClaim(Claim claim, RuntimeException cause, long now) {
    boolean forAll = claim == desk.sharedClaim();
    desk.withdraw(claim, now);
    if (forAll) {
      failShared(cause, now);
    } else if (claim.waiter != null) {
      fail(claim.waiter, cause, now);
    }
  }

  private void failShared(RuntimeException cause, long now) {
    for (Waiter waiter = shared.first(); waiter != null; waiter = shared.first()) {
      shared.remove(waiter);
      fail(waiter, cause, now);
    }
  }

  // ---------------------------------------------------------------- tenure

  /** Takes in a grant that was pushed. */
  void pushed(Grant grant, long now) {
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
      granted(grant, since, now);
    } else if (!desk.isWithdrawing(grant)) {
      seen(grant, now, now);
    }
  }

  /** Takes in a grant whose decision was made no earlier than {@code sinceNanos}. */
  private void granted(Grant grant, long sinceNanos, long now) {
    Tenure current = tenure;
    if (current != null) {
      if (current.grant == grant.grant() || grant.firstToken() <= current.firstToken) {
        return; // heard twice, or late
      }
      endTenure(Reason.NOT_AT_STORE, now);
    }
    Tenure fresh = new Tenure(grant, sinceNanos, now);
    for (long number : grant.claims()) {
      Claim claim = desk.find(number);
      if (claim != null) {
        desk.remove(claim);
        fresh.run.add(claim);
      }
    }
    begin(fresh, now);
  }

  private void begin(Tenure fresh, long now) {
    tenure = fresh;
    Claim first = fresh.run.peekFirst();
    fresh.leaseNanos = first == null ? 0 : first.request.leaseMillis() * 1_000_000;
    if (!fresh.confirmed) {
      fresh.ready = !policy.confirmsHandOver();
      fresh.renewNanos = fresh.ready ? now + policy.confirmAfterNanos() : now;
    }
    advance(now);
  }

  /** Finds the next holder for a tenure that has none, or gives the grant back. */
  private void advance(long now) {
    Tenure current = tenure;
    if (current == null || !current.ready || hold != null) {
      return;
    }
    open = false;
    if (!current.isValid(now)) {
      endTenure(Reason.EXPIRED, now);
      return;
    }
    for (Claim claim = current.run.peekFirst(); claim != null; claim = current.run.peekFirst()) {
      Waiter own = claim.waiter;
      if (own == null) {
        if (serveShared(current, now)) {
          return;
        }
        current.run.removeFirst();
        if (!current.run.isEmpty()) {
          ensureSharedClaim(now);
        }
      } else {
        current.run.removeFirst();
        if (own.isWaiting()) {
          grantTo(own, current, now, claim.arrival);
          return;
        }
      }
    }
    giveBack(current, now);
  }

  /** Serves the first shared waiter, or opens the gate for it; returns false if it may not. */
  private boolean serveShared(Tenure current, long now) {
    Waiter first = shared.first();
    if (first == null || !mayServe(current, first, now)) {
      return false;
    }
    if (!current.sharedServed || first.isAsync() || first.bypassed >= MAX_BYPASSES) {
      shared.remove(first);
      grantTo(first, current, now, -1);
    } else {
      open = true;
      if (!first.poked) {
        first.poked = true;
        effects.wake(first);
      }
    }
    return true;
  }

  /**
   * Returns whether a tenure is not longer than what a request asks for: if its holder crashes, the
   * others must not wait for longer than its own lease. A store never shortens a lease, because a
   * request to do so that comes late could shorten what has been lengthened since.
   */
  private static boolean fits(Tenure current, Waiter waiter, long now) {
    long wantedUntil = Margins.validUntil(now, waiter.leaseNanos);
    return current.validUntilNanos <= wantedUntil + 2 * Margins.of(waiter.leaseNanos);
  }

  private boolean mayServe(Tenure current, Waiter first, long now) {
    if (!fits(current, first, now)) {
      return false;
    }
    if (!current.sharedServed) {
      return true;
    }
    boolean uncontested =
        !current.othersWait
            || (current.passes < first.localPasses
                && now - current.contestedSinceNanos < MAX_CONTESTED_NANOS);
    long enoughNanos = Math.min(first.leaseNanos / 3, 2 * policy.confirmAfterNanos());
    return uncontested
        && first.localPasses > 0
        && current.hasSpareToken()
        && current.validUntilNanos - now >= enoughNanos;
  }

  private void grantTo(Waiter waiter, Tenure current, long now, long arrival) {
    boolean passed = false;
    if (waiter.claim == null) {
      passed = current.sharedServed;
      current.passes += passed ? 1 : 0;
      current.sharedServed = true;
    }
    long token = current.nextToken();
    long end = waiter.fixed ? now + waiter.leaseNanos : Margins.NEVER;
    Hold fresh = new Hold(current, waiter, token, now, end);
    hold = fresh;
    planRenewal(current, fresh, now);
    waiter.grant(fresh);
    effects.settled(waiter);
    if (effects.listening()) {
      if (passed) {
        effects.event(new LockEvent.HandedOver(name, token));
      }
      effects.event(new LockEvent.Acquired(name, token, since(waiter.startNanos, now), arrival));
    }
  }

  /** Sets when the store's lease is to be brought in line with what a new holder needs. */
  private void planRenewal(Tenure current, Hold fresh, long now) {
    long wantedUntil = Margins.validUntil(now, fresh.leaseNanos);
    long slack = 2 * Margins.of(fresh.leaseNanos);
    current.leaseNanos = fresh.leaseNanos;
    if (!current.confirmed) {
      current.renewNanos = Math.min(current.renewNanos, now + policy.confirmAfterNanos());
    } else if (fresh.fixed) {
      current.renewNanos = current.validUntilNanos < wantedUntil - slack ? now : Margins.NEVER;
    } else {
      current.renewNanos = policy.renewalAfter(now, current.validUntilNanos, fresh.leaseNanos);
    }
  }

  private void giveBack(Tenure done, long now) {
    tenure = null;
    open = false;
    touch(now);
    Waiter first = shared.first();
    boolean requeue = first != null && desk.sharedClaim() == null;
    desk.release(
        Retreat.release(done, now),
        requeue && first != null ? desk.makeShared(first.leaseNanos, now) : null);
  }

  /** Ends a tenure against its holder's wish. */
  private void endTenure(Reason reason, long now) {
    Tenure lost = tenure;
    if (lost == null) {
      return;
    }
    tenure = null;
    open = false;
    touch(now);
    Hold holder = hold;
    if (holder != null) {
      loseHold(holder, reason, now);
    }
    if (reason != Reason.NOT_AT_STORE) {
      desk.release(Retreat.release(lost, now), null);
    }
    for (Claim unserved : lost.run) {
      if (unserved.waiter != null && unserved.waiter.isWaiting()) {
        desk.sendOwn(unserved.waiter, now);
      }
    }
    ensureSharedClaim(now);
  }

  private void loseHold(Hold holder, Reason reason, long now) {
    Reason why =
        reason == Reason.EXPIRED && holder.isAtFixedEnd(now) ? Reason.FIXED_LEASE_ENDED : reason;
    LeaseLost news = new LeaseLost(name, holder.token, why);
    holder.lose(news, now);
    if (holder.owner != null) {
      losses.put(holder.owner, holder);
      anyLosses = true;
    }
    hold = null; // last: a thread that no longer finds its hold must find its loss
    for (ManualRenewal wish : holder.tenure.takeWishes()) {
      effects.renewed(wish, new LeaseLostException(news));
    }
    effects.lost(holder);
    if (effects.listening()) {
      effects.event(new LockEvent.Lost(name, holder.token, why));
    }
  }

  // ---------------------------------------------------------------- answers

  /** Takes in the answer to a release that was sent at {@code sentNanos}. */
  void releaseAnswered(
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

  void withdrawAnswered(Retreat retreat, Outcome<Done> outcome, long now) {
    if (outcome instanceof Outcome.Answered) {
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
    if (tenure != renewed) {
      return; // released or lost meanwhile: nothing comes back to life
    }
    if (!renewed.isValid(now)) {
      endTenure(Reason.EXPIRED, now);
    } else if (outcome instanceof Outcome.Answered<RenewAnswer> answered) {
      if (answered.answer().renewed()) {
        extend(renewed, request, sentNanos, answered.answer().othersWait(), now);
      } else {
        endTenure(Reason.NOT_AT_STORE, now);
      }
    } else {
      renewFailed(renewed, outcome, now);
    }
  }

  private void renewFailed(Tenure renewed, Outcome<RenewAnswer> outcome, long now) {
    renewed.renewNanos = Math.min(renewed.renewNanos, now + policy.renewRetryNanos(renewed));
    Throwable cause =
        outcome instanceof Outcome.Unknown<RenewAnswer> unknown ? unknown.cause() : null;
    for (ManualRenewal wish : renewed.takeWishesSent()) {
      effects.renewed(wish, policy.unavailable(about("the renewal was not confirmed"), cause));
    }
  }

  private void extend(
      Tenure renewed, RenewRequest request, long sentNanos, boolean othersWait, long now) {
    long until = Margins.validUntil(sentNanos, request.leaseMillis() * 1_000_000);
    renewed.validUntilNanos = Math.max(renewed.validUntilNanos, until);
    renewed.confirmed = true;
    if (othersWait) {
      wanted(now);
    } else {
      renewed.othersWait = false;
    }
    Hold holder = hold;
    if (holder != null && !holder.fixed && renewed.renewNanos == Margins.NEVER) {
      renewed.renewNanos = policy.renewalAfter(now, renewed.validUntilNanos, renewed.leaseNanos);
    }
    List<ManualRenewal> fulfilled = renewed.takeWishesSent();
    if (holder != null && holder.fixed && !fulfilled.isEmpty()) {
      holder.endNanos = sentNanos + ManualRenewal.longest(fulfilled);
    }
    for (ManualRenewal wish : fulfilled) {
      effects.renewed(wish, null);
    }
    if (holder != null && effects.listening()) {
      effects.event(
          new LockEvent.Renewed(name, holder.token, since(now, holder.validUntilNanos())));
    }
    if (!renewed.ready || open) { // it may be too long now for whom the gate is open
      renewed.ready = true;
      advance(now);
    }
  }

  void lookAnswered(LookRequest request, long sentNanos, Outcome<LookAnswer> outcome, long now) {
    if (!(outcome instanceof Outcome.Answered<LookAnswer> answered)) {
      lookFailed(outcome, now);
      return;
    }
    desk.heard();
    LookAnswer answer = answered.answer();
    Claim asked = desk.find(request.claim());
    if (answer instanceof Queued queued) {
      desk.looked(queued, sentNanos, now);
      return;
    }
    desk.lookLater(now);
    if (answer instanceof LookAnswer.Granted granted) {
      seen(granted.grant(), sentNanos, now);
    } else if (asked != null) {
      desk.askAgain(now);
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

  /** Takes in a grant that the store says is current: news, known already, or nobody's. */
  private void seen(Grant grant, long sentNanos, long now) {
    for (long number : grant.claims()) {
      if (desk.find(number) != null) {
        granted(grant, sentNanos, now);
        return;
      }
    }
    boolean current = tenure != null && tenure.grant == grant.grant();
    if (!current && !desk.isReleasing(grant.grant())) {
      desk.release(Retreat.orphan(grant, now), null);
    }
  }

  // ---------------------------------------------------------------- hints

  /** Another client waits. */
  void wanted(long now) {
    Tenure current = tenure;
    if (current != null && !current.othersWait) {
      current.othersWait = true;
      current.passes = 0;
      current.contestedSinceNanos = now;
    }
  }

  /** The tenure may have been taken away: the answer to a renewal tells. */
  void revoked(long now) {
    if (tenure != null) {
      tenure.renewNanos = now;
    }
  }

  /** Hints may have been missed, and what failed may work again. */
  void reconnected(long now) {
    desk.reconnected(now);
    if (tenure != null && tenure.renewNanos != Margins.NEVER) {
      tenure.renewNanos = now;
    }
  }

  // ---------------------------------------------------------------- time

  /** Does what is due; renewals and looks are left in {@code batch} to be sent with others'. */
  void tick(long now, Batch batch, Gate gate) {
    Hold holder = hold;
    if (holder != null) {
      expire(holder, now);
      if (holder.state == Hold.State.HELD && holder.owner != null && !holder.owner.isAlive()) {
        loseHold(holder, Reason.OWNER_DIED, now);
        advance(now);
      }
    } else if (tenure != null && !tenure.isValid(now)) {
      endTenure(Reason.EXPIRED, now);
    }
    renewIfDue(now, batch, gate);
    desk.retryIfDue(now);
    timeOutAsync(now);
    LookRequest look = desk.takeLookIfDue(now);
    if (look != null) {
      batch.look(gate, look);
    }
    if (losses.values().removeIf(lost -> isForgettable(lost, now))) {
      anyLosses = !losses.isEmpty();
    }
    if (isIdle() && !losses.isEmpty()) {
      touch(now);
    }
  }

  private static boolean isForgettable(Hold lost, long now) {
    return now - lost.lostNanos > LOSS_KEPT_NANOS || lost.owner == null || !lost.owner.isAlive();
  }

  private void renewIfDue(long now, Batch batch, Gate gate) {
    Tenure current = tenure;
    if (current == null || now < current.renewDueNanos()) {
      return;
    }
    current.wishesSent.addAll(current.wishes);
    current.wishes.clear();
    long leaseMillis = Math.max(1, (renewalNanos(current, now) + 999_999) / 1_000_000);
    current.renewNanos = Margins.NEVER;
    current.renewing = true;
    batch.renew(gate, current, new RenewRequest(name, current.grant, leaseMillis));
  }

  private long renewalNanos(Tenure current, long now) {
    Hold holder = hold;
    if (holder == null) {
      return current.leaseNanos;
    }
    long wished = ManualRenewal.longest(current.wishesSent);
    if (holder.fixed) {
      long rest = wished > 0 ? wished : holder.endNanos - now;
      return rest + Margins.of(rest) * 2;
    }
    return Math.max(current.leaseNanos, wished + Margins.of(wished) * 2);
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

  private List<Waiter> waiters() {
    List<Waiter> waiters = new ArrayList<>();
    for (Waiter waiter = shared.first(); waiter != null; waiter = waiter.next) {
      waiters.add(waiter);
    }
    List<Claim> claims = desk.claims();
    if (tenure != null) {
      claims.addAll(tenure.run);
    }
    for (Claim claim : claims) {
      if (claim.waiter != null) {
        waiters.add(claim.waiter);
      }
    }
    return waiters;
  }

  /** Returns when something is due next. */
  long dueNanos() {
    long due = Math.min(desk.dueNanos(), asyncDeadlineNanos);
    Tenure current = tenure;
    if (current != null) {
      due = Math.min(due, Math.min(current.validUntilNanos, current.renewDueNanos()));
    }
    Hold holder = hold;
    if (holder != null) {
      due = Math.min(due, holder.endNanos);
    }
    return isIdle() ? Math.min(due, idleSinceNanos + IDLE_NANOS) : due;
  }

  boolean isIdle() {
    return tenure == null && shared.isEmpty() && desk.isIdle();
  }

  /** Returns whether nothing has happened here for a while and nothing needs to be remembered. */
  boolean isRetirable(long now) {
    return isIdle() && losses.isEmpty() && now - idleSinceNanos >= IDLE_NANOS;
  }

  boolean hasRetreats() {
    return desk.hasRetreats();
  }

  private void touch(long now) {
    idleSinceNanos = now;
  }

  private String about(String message) {
    return "'" + name + "': " + message;
  }

  // ---------------------------------------------------------------- close

  /** Ends everything: waits fail, holds are lost, and what the store knows is taken back. */
  void close(long now) {
    LockkeeperClosedException closed =
        new LockkeeperClosedException(about("this client was closed"));
    for (Claim claim : desk.claims()) {
      failClaim(claim, closed, now);
    }
    failShared(closed, now);
    Tenure current = tenure;
    if (current != null) {
      for (Claim unserved : current.run) {
        if (unserved.waiter != null) {
          fail(unserved.waiter, closed, now);
        }
      }
      endTenure(Reason.CLIENT_CLOSED, now);
    }
  }

  /** Checks what must always hold; called after every step where assertions are on. */
  boolean isSound() {
    Tenure current = tenure;
    Hold holder = hold;
    if (holder != null && (current != holder.tenure || holder.state != Hold.State.HELD || open)) {
      throw new AssertionError("a hold outside its tenure, in state " + holder.state);
    }
    if (open && (current == null || shared.isEmpty())) {
      throw new AssertionError("open without anybody to take it");
    }
    if (current != null && holder == null && !open && current.ready) {
      throw new AssertionError("a tenure that serves nobody");
    }
    if (!shared.isEmpty()
        && desk.sharedClaim() == null
        && (current == null || !current.runHasShared())) {
      throw new AssertionError("shared waiters without a claim");
    }
    return true;
  }
}
