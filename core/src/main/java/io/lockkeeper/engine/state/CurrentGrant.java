package io.lockkeeper.engine.state;

import io.lockkeeper.engine.policy.ClockDrift;
import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.spi.Grant;
import java.util.ArrayList;
import java.util.List;

/**
 * Represents the time during which the store considers this client the holder of a resource: one
 * grant, served to one local holder after another. Guarded by the coordinator's mutex, but for
 * {@link #validUntil}.
 */
public final class CurrentGrant {

  /** The number that the store knows it by. */
  final long number;

  /** The largest token handed to a holder, or one less than the first of the block. */
  long usedToken;

  final long firstToken;
  final long lastToken;

  /** When the store can have decided at the earliest; its lease is counted from here. */
  final long sinceNanos;

  /** Until when holders may rely on it. */
  private final Expiry validUntil;

  /** Whether the store has given it a full lease, not only the claim deadline. */
  boolean confirmed;

  /** Whether it may be served: false only where the store's grants need a confirmation first. */
  boolean ready = true;

  boolean othersWait;

  /** Since when others are known to wait, at the earliest the grant itself. */
  long contestedSinceNanos;

  /** How often it passed between local holders since others are known to wait. */
  int passes;

  /** How long the last holder allowed it to be kept after the release while nobody waits. */
  long idleNanos;

  /** While nobody holds it or waits for it: until when it is kept; else {@link Instants#NEVER}. */
  long idleUntilNanos = Instants.NEVER;

  /** Whether the shared claim at the head of the batch has been served at all. */
  boolean sharedServed;

  /** How long the store's lease shall be when it is renewed. */
  long leaseNanos;

  /** How many permits the store shall let it keep; 0 for all that it has there. */
  int keptPermits;

  /** Notified when the store has got that, or need not get it any more. */
  private List<Completion> shrinkListeners = List.of();

  /** When to renew, or {@link Instants#NEVER}. */
  long renewNanos = Instants.NEVER;

  /** Whether a renewal is under way. There is never more than one. */
  boolean renewing;

  /** Whether it was logged that the store refuses to renew it. */
  boolean refusalTold;

  /** Whether renewals name the thread that has it: its claim did not. */
  boolean isNamedByRenewals;

  /** The token of the hold whose thread the store names by a renewal, or 0. */
  long namedToken;

  /** Whether the store may name another than {@link #namedToken}, or none. */
  boolean isNameUnknown;

  /** The request of its holder for the next renewal. */
  final List<ManualRenewal> wishes = new ArrayList<>();

  /** The request of its holder that the renewal under way was sent with. */
  final List<ManualRenewal> wishesSent = new ArrayList<>();

  CurrentGrant(Grant grant, long sinceNanos, long nowNanos) {
    this.number = grant.grant();
    this.firstToken = grant.firstToken();
    this.usedToken = grant.firstToken() - 1;
    this.lastToken = grant.lastToken();
    this.confirmed = grant.confirmed();
    this.othersWait = grant.othersWait();
    this.sinceNanos = sinceNanos;
    this.validUntil = new Expiry(ClockDrift.validUntil(sinceNanos, grant.leaseMicros() * 1_000));
    this.contestedSinceNanos = nowNanos;
  }

  /** Returns the number that the store knows it by. */
  public long number() {
    return number;
  }

  /**
   * Returns whether a token can be given to one more local holder, with one left for each claim
   * behind the first of these.
   */
  boolean hasSpareToken(int claims) {
    return lastToken - usedToken >= claims;
  }

  long nextToken() {
    if (usedToken >= lastToken) {
      throw new IllegalStateException("token block used up at " + lastToken);
    }
    return ++usedToken;
  }

  boolean isIdle() {
    return idleUntilNanos != Instants.NEVER;
  }

  /** Returns until when holders may rely on it. */
  long validUntilNanos() {
    return validUntil.nanos();
  }

  /** Returns whether holders may rely on it. Once it has said that they may not it is over. */
  boolean isValid(long nowNanos) {
    return validUntil.isAhead(nowNanos);
  }

  /** Lets holders rely on it until then, if that is later; returns false if it is over. */
  boolean extend(long untilNanos) {
    return validUntil.moveTo(Math.max(validUntil.nanos(), untilNanos));
  }

  /** Takes out all wishes of its holder. */
  List<ManualRenewal> takeWishes() {
    if (wishes.isEmpty() && wishesSent.isEmpty()) {
      return List.of();
    }
    List<ManualRenewal> all = new ArrayList<>(wishesSent);
    all.addAll(wishes);
    wishesSent.clear();
    wishes.clear();
    return all;
  }

  /** Takes out the wishes that the renewal under way was sent with. */
  List<ManualRenewal> takeWishesSent() {
    List<ManualRenewal> sent = List.copyOf(wishesSent);
    wishesSent.clear();
    return sent;
  }

  void addShrinkListener(Completion listener) {
    if (shrinkListeners.isEmpty()) {
      shrinkListeners = new ArrayList<>();
    }
    shrinkListeners.add(listener);
  }

  List<Completion> takeShrinkListeners() {
    List<Completion> all = shrinkListeners;
    shrinkListeners = List.of();
    return all;
  }

  long renewDueNanos() {
    return renewing ? Instants.NEVER : renewNanos;
  }
}
