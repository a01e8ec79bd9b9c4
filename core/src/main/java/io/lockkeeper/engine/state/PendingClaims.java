package io.lockkeeper.engine.state;

import io.lockkeeper.LockEvent;
import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.engine.policy.Names;
import io.lockkeeper.engine.policy.Policy;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the claims on one resource that the store has not granted yet, and when to ask again about
 * each.
 *
 * <p>Not thread-safe: guarded by the coordinator's mutex.
 */
final class PendingClaims {

  /** How many tokens a shared claim reserves, and so how often it can pass without the store. */
  static final int SHARED_TOKENS = 1_024;

  private final ResourceId resource;
  private final Policy policy;
  private final Effects effects;

  /** Whether each claim has to be looked at; else a look at the first tells of all. */
  private final boolean looksAtEach;

  /** The claim that stands for all shared requests, until it is granted. */
  private @Nullable Claim sharedClaim;

  /** The claims of requests that have their own, until they are granted, by number. */
  private final LinkedHashMap<Long, Claim> own = new LinkedHashMap<>();

  private final PendingReleases releases;
  private final ClockComparison clocks = new ClockComparison();

  /** A lower bound for the retry times of all claims. */
  private long retryNanos = Instants.NEVER;

  private final PollSchedule polls;

  private final Silence silence = new Silence();

  /**
   * Creates it.
   *
   * @param resource the resource's id, for the store
   * @param releases takes the withdrawals
   * @param looksAtEach whether claims are granted one by one, so that each has to be looked at
   */
  PendingClaims(
      ResourceId resource,
      Policy policy,
      Effects effects,
      PendingReleases releases,
      boolean looksAtEach) {
    this.resource = resource;
    this.policy = policy;
    this.effects = effects;
    this.releases = releases;
    this.looksAtEach = looksAtEach;
    this.polls = new PollSchedule(policy);
  }

  ResourceId resource() {
    return resource;
  }

  // ------------------------------------------------------------- claims

  @Nullable Claim sharedClaim() {
    return sharedClaim;
  }

  /** Makes the shared claim in the name of the first who wants it, for the caller to send. */
  Claim makeShared(Waiter first, long now) {
    if (sharedClaim != null) {
      throw new IllegalStateException("there is a shared claim already");
    }
    ClaimRequest request =
        new ClaimRequest(
            resource,
            policy.nextClaim(),
            millis(first.leaseNanos),
            SHARED_TOKENS,
            true,
            Share.EXCLUSIVE,
            // It may be handed off to others: then the thread that asked would be a wrong name.
            Names.label(first.maxLocalHandoffs > 0 ? null : first.thread));
    beginToWait();
    sharedClaim = new Claim(request, null, now);
    return sharedClaim;
  }

  /** Makes and sends a claim for one request. */
  void sendOwn(Waiter waiter, long now) {
    boolean queue = waiter.order != Waiter.Order.ONCE;
    ClaimRequest request =
        new ClaimRequest(
            resource,
            policy.nextClaim(),
            millis(waiter.leaseNanos),
            1,
            queue,
            waiter.share,
            Names.label(waiter.thread));
    beginToWait();
    Claim claim = new Claim(request, waiter, now);
    waiter.claimedBy(claim.number());
    own.put(claim.number(), claim);
    effects.claim(claim);
  }

  /** Returns the claim of this number that has not been granted yet. */
  @Nullable Claim find(long number) {
    Claim claim = sharedClaim;
    return claim != null && claim.number() == number ? claim : own.get(number);
  }

  boolean has(Claim claim) {
    return find(claim.number()) == claim;
  }

  /** Takes a claim out; returns whether it was there. */
  boolean remove(Claim claim) {
    if (claim == sharedClaim) {
      sharedClaim = null;
      return true;
    }
    return own.remove(claim.number()) != null;
  }

  /** Takes a claim out, and back at the store; returns null if it was not here. */
  @Nullable PendingRelease withdraw(Claim claim, long now) {
    if (!remove(claim)) {
      return null;
    }
    effects.reached(
        claim.isInDoubt() ? Transition.CLAIM_WITHDRAWN_IN_DOUBT : Transition.CLAIM_WITHDRAWN);
    return takeBack(claim, now);
  }

  /** Takes a claim back at the store that is not here any more. */
  PendingRelease takeBack(Claim claim, long now) {
    PendingRelease withdrawal = PendingRelease.withdrawal(claim, now);
    releases.withdraw(withdrawal);
    return withdrawal;
  }

  List<Claim> claims() {
    List<Claim> claims = new ArrayList<>(own.values());
    if (sharedClaim != null) {
      claims.add(sharedClaim);
    }
    return claims;
  }

  boolean hasClaims() {
    return sharedClaim != null || !own.isEmpty();
  }

  /** Notes that a claim waits in the store's queue. */
  void queued(Claim claim, Queued queued, long sentNanos, long now) {
    if (claim.state == Claim.State.SENT) {
      polls.begin();
      if (effects.wants(LockEvent.Waited.class)) {
        effects.event(new LockEvent.Waited(resource.kind(), resource.name()));
      }
    }
    effects.reached(Transition.CLAIM_QUEUED);
    claim.state = Claim.State.QUEUED;
    claim.arrival = queued.arrival();
    claim.heard();
    clocks.read(queued.storeMicros(), sentNanos);
    polls.after(queued, now);
  }

  /** Plans to send a claim again. */
  void retry(Claim claim, long now) {
    claim.doubtful = true;
    claim.retryNanos = now + policy.backoffNanos(claim.failures++);
    retryNanos = Math.min(retryNanos, claim.retryNanos);
  }

  /**
   * Sends a claim again that the store had in its queue and has forgotten, and with it all others
   * of which it is the first.
   */
  void askAgain(Claim forgotten, long now) {
    for (Claim claim : looksAtEach ? List.of(forgotten) : claims()) {
      if (claim.state == Claim.State.QUEUED) {
        effects.reached(Transition.CLAIM_FORGOTTEN_BY_STORE);
        claim.state = Claim.State.SENT;
        claim.arrival = -1; // if it comes anew, it comes later
        claim.retryNanos = now;
        retryNanos = now;
      }
    }
  }

  // ------------------------------------------------------------- polls

  /** Notes that a poll has found a claim waiting. */
  void polled(Queued queued, long sentNanos, long now) {
    clocks.read(queued.storeMicros(), sentNanos);
    effects.reached(Transition.LOOK_FOUND_QUEUED);
    polls.foundWaiting(queued, now);
  }

  /** Notes that a poll has found something else. */
  void lookLater(long now) {
    polls.later(now);
  }

  /** Notes that a poll was not answered. */
  void pollFailed(long now) {
    effects.reached(Transition.LOOK_UNKNOWN);
    polls.failed(now);
  }

  /** Notes that the look at a claim has been answered, or never will be. */
  void lookOver(@Nullable Claim claim) {
    if (claim != null) {
      claim.polling = false;
    }
  }

  /** Returns what to look at if polls are due. */
  List<PollRequest> takePollsIfDue(long now) {
    if (!polls.takeIfDue(now)) {
      return List.of();
    }
    List<PollRequest> due = new ArrayList<>();
    for (Claim claim : looksAtEach ? claims() : firstQueued()) {
      if (claim.state == Claim.State.QUEUED && !claim.polling) {
        claim.polling = true;
        due.add(new PollRequest(resource, claim.number()));
      }
    }
    return due;
  }

  /**
   * Returns the claim that came first, if any: a store that drops claims drops them from the head
   * of its queue.
   */
  private List<Claim> firstQueued() {
    Claim first = null;
    for (Claim claim : claims()) {
      if (claim.state == Claim.State.QUEUED && (first == null || claim.arrival < first.arrival)) {
        first = claim;
      }
    }
    return first == null ? List.of() : List.of(first);
  }

  /**
   * Returns a moment, on this client's clock, that is not later than the store's decision to grant
   * a claim at {@code decidedMicros} on the store's clock.
   */
  long earliestDecision(Claim claim, long decidedMicros, long now) {
    return clocks.earliest(decidedMicros, claim.bornNanos, now);
  }

  // ------------------------------------------------------------- silence

  void heard() {
    silence.end();
  }

  /** Forgets a silence in which nobody waited: the patience of who waits begins with its wait. */
  private void beginToWait() {
    if (!hasClaims()) {
      heard();
    }
  }

  void silent(Throwable cause, long now) {
    silence.goOn(cause, now);
  }

  /** Returns why the store has not answered last, or null if it has. */
  @Nullable Throwable lastFailure() {
    return silence.cause();
  }

  /** Returns whether the store has not answered for longer than the client is willing to wait. */
  boolean isPatienceOver(long now) {
    return silence.hasLasted(policy.patienceNanos(), now);
  }

  // ------------------------------------------------------------- time

  /** Returns when to {@link #retry}, or an earlier time. */
  long retryNanos() {
    return retryNanos;
  }

  /** Sends claims again that are due. */
  void retry(long now) {
    retryNanos = Instants.NEVER;
    for (Claim claim : claims()) {
      if (now >= claim.retryNanos) {
        claim.retryNanos = Instants.NEVER;
        effects.reached(Transition.CLAIM_SENT_AGAIN);
        effects.claim(claim);
      }
      retryNanos = Math.min(retryNanos, claim.retryNanos);
    }
  }

  /** Brings forward whatever waits for the store to come back. */
  void reconnected(long now) {
    for (Claim claim : claims()) {
      if (claim.retryNanos != Instants.NEVER) {
        claim.retryNanos = now;
        retryNanos = now;
      }
    }
    polls.reconnected(now);
  }

  /** Plans to ask again about every claim of which the store has not said that it waits. */
  void askAgain(long now) {
    for (Claim claim : claims()) {
      claim.polling = false;
      if (claim.state == Claim.State.SENT) {
        claim.doubtful = true;
        claim.retryNanos = now;
        retryNanos = now;
      }
    }
    polls.reconnected(now);
  }

  long dueNanos() {
    return Math.min(polls.dueNanos(), retryNanos);
  }

  boolean isIdle() {
    return !hasClaims();
  }

  private static long millis(long nanos) {
    return Math.max(1, (nanos + 999_999) / 1_000_000);
  }
}
