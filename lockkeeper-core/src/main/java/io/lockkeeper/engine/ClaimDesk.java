package io.lockkeeper.engine;

import io.lockkeeper.LockEvent;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.LookRequest;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.Share;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What one gate has asked of the store and not yet got, and what it gives up there and is not yet
 * sure of: claims, retreats, and when to ask again about each.
 *
 * <p>Not thread-safe: guarded by the gate's mutex.
 */
final class ClaimDesk {

  /** How many tokens a shared claim reserves, and so how often it can pass without the store. */
  static final int SHARED_TOKENS = 1_024;

  /** How long after the holder's lease must have ended it looks at the earliest. */
  private static final long LOOK_SLACK_NANOS = 10_000_000;

  private final String resource;
  private final String name;
  private final Policy policy;
  private final Effects effects;

  /** Whether each claim has to be looked at; else a look at the first tells of all. */
  private final boolean looksAtEach;

  /** The claim that stands for all shared requests, until it is granted. */
  private @Nullable Claim sharedClaim;

  /** The claims of requests that have their own, until they are granted, by number. */
  private final LinkedHashMap<Long, Claim> own = new LinkedHashMap<>();

  private final List<Retreat> retreats = new ArrayList<>();

  /**
   * A pair of readings of two clocks, for grants that are pushed: the store's clock at its last
   * answer, and this client's when it asked. What the store decides later, it decides no earlier,
   * on this client's clock, than the latter plus the difference on the store's.
   */
  private long storeMicros;

  private long askedNanos;

  /** A lower bound for the retry times of all claims and retreats. */
  private long retryNanos = Margins.NEVER;

  /** When to look at the store; {@link Margins#NEVER} while an answer is under way. */
  private long lookNanos = Margins.NEVER;

  /** How many looks in a row have found the claims waiting. */
  private int looks;

  /** When the first of a row of unanswered questions failed, or {@link Margins#NEVER}. */
  private long silentSinceNanos = Margins.NEVER;

  /**
   * Creates a desk.
   *
   * @param resource the resource's id, for the store
   * @param name the resource's name, for people
   * @param looksAtEach whether claims are granted one by one, so that each has to be looked at
   */
  ClaimDesk(String resource, String name, Policy policy, Effects effects, boolean looksAtEach) {
    this.resource = resource;
    this.name = name;
    this.policy = policy;
    this.effects = effects;
    this.looksAtEach = looksAtEach;
  }

  String resource() {
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
            Names.label(first.thread));
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
    waiter.claim = claim;
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

  /** Takes a claim off the desk; returns whether it was there. */
  boolean remove(Claim claim) {
    if (claim == sharedClaim) {
      sharedClaim = null;
      return true;
    }
    return own.remove(claim.number()) != null;
  }

  /** Takes a claim off the desk and back at the store. */
  void withdraw(Claim claim, long now) {
    if (remove(claim)) {
      effects.reached(
          claim.isInDoubt() ? Transition.CLAIM_WITHDRAWN_IN_DOUBT : Transition.CLAIM_WITHDRAWN);
      takeBack(claim, now);
    }
  }

  /** Takes a claim back at the store that is not on the desk any more. */
  void takeBack(Claim claim, long now) {
    Retreat retreat = Retreat.withdrawal(claim, now);
    retreats.add(retreat);
    effects.withdraw(retreat);
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
      looks = 0;
      if (effects.listening()) {
        effects.event(new LockEvent.Waited(name));
      }
    }
    effects.reached(Transition.CLAIM_QUEUED);
    claim.state = Claim.State.QUEUED;
    claim.arrival = queued.arrival();
    claim.heard();
    compareClocks(queued.storeMicros(), sentNanos);
    lookNanos = Math.min(lookNanos, nextLook(queued, now));
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

  // ------------------------------------------------------------- retreats

  /** Gives up a grant, and puts a claim into the queue in the same step. */
  void release(Retreat retreat, @Nullable Claim requeue) {
    retreats.add(retreat);
    effects.release(retreat, requeue);
  }

  void retreated(Retreat retreat) {
    retreats.remove(retreat);
    if (retreat.confirmation != null) {
      effects.confirmed(retreat.confirmation);
    }
  }

  /** Returns what is completed when the release of a grant is over, if one is under way. */
  CompletableFuture<Void> confirmation(long grant) {
    for (Retreat retreat : retreats) {
      if (retreat.kind == Retreat.Kind.RELEASE && retreat.number == grant) {
        CompletableFuture<Void> known = retreat.confirmation;
        CompletableFuture<Void> asked = known == null ? new CompletableFuture<>() : known;
        retreat.confirmation = asked;
        return asked;
      }
    }
    return CompletableFuture.completedFuture(null);
  }

  /** Returns what is to be completed of all releases that are under way. */
  List<CompletableFuture<Void>> confirmations() {
    return retreats.stream().map(retreat -> retreat.confirmation).filter(Objects::nonNull).toList();
  }

  void retreatFailed(Retreat retreat, long now) {
    if (now >= retreat.pointlessNanos) {
      effects.reached(Transition.RETREAT_POINTLESS);
      retreated(retreat);
    } else {
      retreat.retryNanos = now + policy.backoffNanos(retreat.failures++);
      retryNanos = Math.min(retryNanos, retreat.retryNanos);
    }
  }

  /** Returns whether the release of this grant is under way. */
  boolean isReleasing(long grant) {
    for (Retreat retreat : retreats) {
      if (retreat.kind == Retreat.Kind.RELEASE && retreat.number == grant) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the withdrawals of all claims of a grant are under way, which end it. */
  boolean isWithdrawing(Grant grant) {
    return grant.claims().stream().allMatch(this::isWithdrawing);
  }

  private boolean isWithdrawing(long claim) {
    for (Retreat retreat : retreats) {
      if (retreat.kind == Retreat.Kind.WITHDRAW && retreat.number == claim) {
        return true;
      }
    }
    return false;
  }

  boolean hasRetreats() {
    return !retreats.isEmpty();
  }

  // ------------------------------------------------------------- looks

  private long nextLook(Queued queued, long now) {
    long untilFree = queued.holderMicros() * 1_000 + LOOK_SLACK_NANOS;
    return now + Math.min(policy.lookAfterNanos(looks), Math.max(LOOK_SLACK_NANOS, untilFree));
  }

  void looked(Queued queued, long sentNanos, long now) {
    compareClocks(queued.storeMicros(), sentNanos);
    effects.reached(Transition.LOOK_FOUND_QUEUED);
    looks++;
    lookNanos = Math.min(lookNanos, nextLook(queued, now));
  }

  void lookLater(long now) {
    lookNanos = Math.min(lookNanos, now + policy.lookAfterNanos(looks));
  }

  void lookFailed(long now) {
    effects.reached(Transition.LOOK_UNKNOWN);
    lookNanos = Math.min(lookNanos, now + policy.backoffNanos(2));
  }

  /** Notes that the look at a claim has been answered, or never will be. */
  void lookOver(@Nullable Claim claim) {
    if (claim != null) {
      claim.looking = false;
    }
  }

  /** Returns what to look at if looks are due. */
  List<LookRequest> takeLooksIfDue(long now) {
    if (now < lookNanos) {
      return List.of();
    }
    lookNanos = Margins.NEVER;
    List<LookRequest> due = new ArrayList<>();
    for (Claim claim : looksAtEach ? claims() : firstQueued()) {
      if (claim.state == Claim.State.QUEUED && !claim.looking) {
        claim.looking = true;
        due.add(new LookRequest(resource, claim.number()));
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

  private void compareClocks(long micros, long sentNanos) {
    storeMicros = micros;
    askedNanos = sentNanos;
  }

  /**
   * Returns a moment, on this client's clock, that is not later than the store's decision to grant
   * a claim at {@code decidedMicros} on the store's clock.
   */
  long earliestDecision(Claim claim, long decidedMicros, long now) {
    long elapsedNanos = (decidedMicros - storeMicros) * 1_000;
    if (storeMicros == 0 || elapsedNanos < 0) {
      return claim.bornNanos; // there is no common measure of time
    }
    return Math.min(now, askedNanos + elapsedNanos - Margins.drift(elapsedNanos));
  }

  // ------------------------------------------------------------- silence

  void heard() {
    silentSinceNanos = Margins.NEVER;
  }

  /** Forgets a silence in which nobody waited: the patience of who waits begins with its wait. */
  private void beginToWait() {
    if (!hasClaims()) {
      heard();
    }
  }

  void silent(long now) {
    silentSinceNanos = Math.min(silentSinceNanos, now);
  }

  /** Returns whether the store has not answered for longer than the client is willing to wait. */
  boolean isPatienceOver(long now) {
    return silentSinceNanos != Margins.NEVER && now - silentSinceNanos >= policy.patienceNanos();
  }

  // ------------------------------------------------------------- time

  /** Sends again what is due. */
  void retryIfDue(long now) {
    if (now < retryNanos) {
      return;
    }
    retryNanos = Margins.NEVER;
    for (Claim claim : claims()) {
      if (now >= claim.retryNanos) {
        claim.retryNanos = Margins.NEVER;
        effects.reached(Transition.CLAIM_SENT_AGAIN);
        effects.claim(claim);
      }
      retryNanos = Math.min(retryNanos, claim.retryNanos);
    }
    for (Retreat retreat : List.copyOf(retreats)) {
      if (now >= retreat.retryNanos && now >= retreat.pointlessNanos) {
        retreated(retreat);
        continue;
      }
      if (now >= retreat.retryNanos) {
        retreat.retryNanos = Margins.NEVER;
        effects.reached(Transition.RETREAT_SENT_AGAIN);
        if (retreat.kind == Retreat.Kind.RELEASE) {
          effects.release(retreat, null);
        } else {
          effects.withdraw(retreat);
        }
      }
      retryNanos = Math.min(retryNanos, retreat.retryNanos);
    }
  }

  /** Brings forward whatever waits for the store to come back. */
  void reconnected(long now) {
    for (Claim claim : claims()) {
      if (claim.retryNanos != Margins.NEVER) {
        claim.retryNanos = now;
        retryNanos = now;
      }
    }
    for (Retreat retreat : retreats) {
      if (retreat.retryNanos != Margins.NEVER) {
        retreat.retryNanos = now;
        retryNanos = now;
      }
    }
    if (lookNanos != Margins.NEVER) {
      lookNanos = now;
    }
  }

  long dueNanos() {
    return Math.min(lookNanos, retryNanos);
  }

  boolean isIdle() {
    return !hasClaims() && retreats.isEmpty();
  }

  private static long millis(long nanos) {
    return Math.max(1, (nanos + 999_999) / 1_000_000);
  }
}
