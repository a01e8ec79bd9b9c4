package io.lockkeeper.engine.state;

import io.lockkeeper.engine.policy.ClockDrift;
import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.spi.Grant;
import java.util.ArrayList;
import java.util.List;

/**
 * Represents something that this client gives up at the store and wants to be sure of: the release
 * of a grant or the withdrawal of a claim. Asked again until the store answers, or until it must
 * have expired there by itself. Guarded by the coordinator's mutex.
 */
public final class PendingRelease {

  private static final long NO_REST = Long.MIN_VALUE;

  private static final long NANOS_PER_MILLI = 1_000_000;

  /**
   * For how long a store may keep what is left behind, if the lease does not tell: at least as long
   * as it takes a silent client to be alive.
   */
  private static final long LONGEST_SESSION_NANOS = 60_000 * NANOS_PER_MILLI;

  /** The grant that is given back. */
  enum Kind {
    RELEASE,
    WITHDRAW
  }

  final Kind kind;

  /** The grant's or the claim's number. */
  final long number;

  /** For a release: the largest token handed out. */
  final long usedToken;

  /** For a withdrawal: whether the store has answered the claim, so that it can be expected to. */
  final boolean isOfAnsweredClaim;

  /** For a withdrawal: whether the store refused the claim, and has nothing to give up. */
  private final boolean isOfRefusedClaim;

  /** When there is nothing left at the store to give up. */
  final long pointlessNanos;

  /** For a release: until when the lock shall stay closed; {@link #NO_REST} for no longer. */
  final long restUntilNanos;

  /** Notified when it is answered or pointless. */
  private List<Completion> listeners = List.of();

  int failures;

  /** When to ask again; {@link Instants#NEVER} while an answer is under way. */
  long retryNanos = Instants.NEVER;

  private PendingRelease(
      Kind kind,
      long number,
      long usedToken,
      boolean isOfAnsweredClaim,
      boolean isOfRefusedClaim,
      long pointlessNanos,
      long restUntilNanos) {
    this.kind = kind;
    this.number = number;
    this.usedToken = usedToken;
    this.isOfAnsweredClaim = isOfAnsweredClaim;
    this.isOfRefusedClaim = isOfRefusedClaim;
    this.pointlessNanos = pointlessNanos;
    this.restUntilNanos = restUntilNanos;
  }

  /** Returns the grant's or the claim's number. */
  public long number() {
    return number;
  }

  /** Returns, for a release, the largest token handed out. */
  public long usedToken() {
    return usedToken;
  }

  /**
   * Returns whether this ends the grant of this number with this first token. A late copy of a
   * claim may be granted under the number of an earlier grant, whose release has no answer yet.
   */
  boolean ends(long grant, long firstToken) {
    return kind == Kind.RELEASE && number == grant && usedToken >= firstToken - 1;
  }

  /** Returns whether the lock was to stay closed for a while. */
  boolean rests() {
    return restUntilNanos != NO_REST;
  }

  /** Returns for how long the lock shall stay closed, or 0 if not or not any more. */
  public long restMillis(long nowNanos) {
    long left = rests() ? restUntilNanos - nowNanos : 0;
    return left <= 0 ? 0 : (left - 1) / NANOS_PER_MILLI + 1;
  }

  /**
   * Returns whether a refusal ends this too. A claim that was refused is withdrawn in case that the
   * store did a part of it; a name that the store cannot keep is refused both times.
   */
  boolean endsWithRefusal() {
    return isOfRefusedClaim;
  }

  void addListener(Completion listener) {
    if (listeners.isEmpty()) {
      listeners = new ArrayList<>();
    }
    listeners.add(listener);
  }

  List<Completion> listeners() {
    return listeners;
  }

  /** Ends a grant that was served. */
  static PendingRelease release(CurrentGrant done, long nowNanos) {
    return rest(done, nowNanos, NO_REST);
  }

  /**
   * Ends a grant that was served, and has the lock stay closed until then. The store may keep the
   * grant for a full lease from now, however little of it the holder could rely on: where clients
   * observe leases, each counts from when it first saw them.
   */
  static PendingRelease rest(CurrentGrant done, long nowNanos, long untilNanos) {
    long atStore = Math.max(nowNanos + done.leaseNanos, done.validUntilNanos());
    long pointless = atStore + 2 * ClockDrift.margin(done.leaseNanos);
    return new PendingRelease(
        Kind.RELEASE, done.number, done.usedToken, false, false, pointless, untilNanos);
  }

  /**
   * Ends a grant that nobody here knows any more; its lease may be longer than can be relied on.
   */
  static PendingRelease orphan(Grant grant, long nowNanos) {
    return new PendingRelease(
        Kind.RELEASE,
        grant.grant(),
        grant.lastToken(),
        false,
        false,
        nowNanos + Math.max(grant.leaseMicros() * 1_000, LONGEST_SESSION_NANOS),
        NO_REST);
  }

  /**
   * Ends a claim's wait. A store with sessions keeps a claim as long as its client, however short
   * the lease is that it asks for.
   */
  static PendingRelease withdrawal(Claim claim, long nowNanos) {
    long leaseNanos = claim.request.leaseMillis() * NANOS_PER_MILLI;
    long pointless = nowNanos + Math.max(2 * leaseNanos, LONGEST_SESSION_NANOS);
    boolean isAnswered = claim.state != Claim.State.SENT;
    boolean isRefused = claim.refused && !claim.doubtful;
    return new PendingRelease(
        Kind.WITHDRAW, claim.number(), 0, isAnswered, isRefused, pointless, NO_REST);
  }
}
