package io.lockkeeper.engine;

import io.lockkeeper.spi.Grant;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Something that this client gives up at the store and wants to be sure of: the release of a grant
 * or the withdrawal of a claim. Asked again until the store answers, or until it must have expired
 * there by itself. Guarded by the gate's mutex.
 */
final class Retreat {

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

  /** Completed when it is answered or pointless; made on demand. */
  @Nullable CompletableFuture<Void> confirmation;

  int failures;

  /** When to ask again; {@link Margins#NEVER} while an answer is under way. */
  long retryNanos = Margins.NEVER;

  private Retreat(
      Kind kind, long number, long usedToken, long believedUntilNanos, long pointlessNanos) {
    this.kind = kind;
    this.number = number;
    this.usedToken = usedToken;
    this.believedUntilNanos = believedUntilNanos;
    this.pointlessNanos = pointlessNanos;
  }

  /** The end of a tenure. */
  static Retreat release(Tenure done, long nowNanos) {
    long pointless = Math.max(nowNanos, done.validUntilNanos) + 2 * Margins.of(done.leaseNanos);
    return new Retreat(Kind.RELEASE, done.grant, done.usedToken, done.validUntilNanos, pointless);
  }

  /** The end of a grant that nobody here knows any more. */
  static Retreat orphan(Grant grant, long nowNanos) {
    return new Retreat(
        Kind.RELEASE,
        grant.grant(),
        grant.lastToken(),
        nowNanos,
        nowNanos + grant.leaseMicros() * 1_000);
  }

  /** The end of a claim's wait. */
  static Retreat withdrawal(Claim claim, long nowNanos) {
    long leaseNanos = claim.request.leaseMillis() * 1_000_000;
    return new Retreat(Kind.WITHDRAW, claim.number(), 0, nowNanos, nowNanos + 2 * leaseNanos);
  }
}
