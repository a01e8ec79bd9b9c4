package io.lockkeeper.engine;

import io.lockkeeper.spi.Grant;
import java.util.ArrayList;
import java.util.List;

/**
 * Represents something that this client gives up at the store and wants to be sure of: the release
 * of a grant or the withdrawal of a claim. Asked again until the store answers, or until it must
 * have expired there by itself. Guarded by the coordinator's mutex.
 */
public final class Retreat {

  /** What is given up. */
  enum Kind {
    RELEASE,
    WITHDRAW
  }

  final Kind kind;

  /** The grant's or the claim's number. */
  final long number;

  /** For a release: the largest token handed out. */
  final long usedToken;

  /** When there is nothing left at the store to give up. */
  final long pointlessNanos;

  /** For a release: until when the grant was believed to last. */
  final long believedUntilNanos;

  /** Who wants to hear when it is answered or pointless. */
  private List<Completion> listeners = List.of();

  int failures;

  /** When to ask again; {@link Instants#NEVER} while an answer is under way. */
  long retryNanos = Instants.NEVER;

  private Retreat(
      Kind kind, long number, long usedToken, long believedUntilNanos, long pointlessNanos) {
    this.kind = kind;
    this.number = number;
    this.usedToken = usedToken;
    this.believedUntilNanos = believedUntilNanos;
    this.pointlessNanos = pointlessNanos;
  }

  /** Returns the grant's or the claim's number. */
  public long number() {
    return number;
  }

  /** Returns, for a release, the largest token handed out. */
  public long usedToken() {
    return usedToken;
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
  static Retreat release(Tenure done, long nowNanos) {
    long pointless = Math.max(nowNanos, done.validUntilNanos) + 2 * Margins.margin(done.leaseNanos);
    return new Retreat(Kind.RELEASE, done.number, done.usedToken, done.validUntilNanos, pointless);
  }

  /** Ends a grant that nobody here knows any more. */
  static Retreat orphan(Grant grant, long nowNanos) {
    return new Retreat(
        Kind.RELEASE,
        grant.grant(),
        grant.lastToken(),
        nowNanos,
        nowNanos + grant.leaseMicros() * 1_000);
  }

  /** Ends a claim's wait. */
  static Retreat withdrawal(Claim claim, long nowNanos) {
    long leaseNanos = claim.request.leaseMillis() * 1_000_000;
    return new Retreat(Kind.WITHDRAW, claim.number(), 0, nowNanos, nowNanos + 2 * leaseNanos);
  }
}
