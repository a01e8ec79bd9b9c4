package io.lockkeeper.engine;

import io.lockkeeper.LockEvent;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The bookkeeping of renewals: when a tenure wants one, what it asks for, and what follows from the
 * answer. Guarded by the gate's mutex.
 */
final class Renewals {

  /** How often in a lease to look whether the holder has heard of it at last. */
  private static final int UNHEARD_LOOKS = 16;

  private final String resource;
  private final String name;
  private final Policy policy;
  private final Effects effects;

  Renewals(String resource, String name, Policy policy, Effects effects) {
    this.resource = resource;
    this.name = name;
    this.policy = policy;
    this.effects = effects;
  }

  /** Sets when the store's lease is to be brought in line with what a new holder needs. */
  void plan(Tenure tenure, Hold fresh, long now) {
    long wantedUntil = Margins.validUntil(now, fresh.leaseNanos);
    long slack = 2 * Margins.of(fresh.leaseNanos);
    tenure.leaseNanos = fresh.leaseNanos;
    if (!tenure.confirmed) {
      tenure.renewNanos = Math.min(tenure.renewNanos, now + policy.confirmAfterNanos());
    } else if (fresh.fixed) {
      tenure.renewNanos = tenure.validUntilNanos < wantedUntil - slack ? now : Margins.NEVER;
    } else {
      tenure.renewNanos = policy.renewalAfter(now, tenure.validUntilNanos, fresh.leaseNanos);
    }
  }

  /** Returns the request to send now, or null if none is due. */
  @Nullable RenewRequest takeIfDue(Tenure tenure, @Nullable Hold holder, long now) {
    if (now < tenure.renewDueNanos()) {
      return null;
    }
    if (holder != null && !holder.heard && now - holder.acquiredNanos >= holder.leaseNanos) {
      effects.reached(Transition.RENEWAL_OF_THE_UNHEARD);
      tenure.renewNanos = now + holder.leaseNanos / UNHEARD_LOOKS;
      return null; // its callback may wait behind others that wait for this
    }
    tenure.wishesSent.addAll(tenure.wishes);
    tenure.wishes.clear();
    long leaseMillis = Math.max(1, (nanos(tenure, holder, now) + 999_999) / 1_000_000);
    tenure.renewNanos = Margins.NEVER;
    tenure.renewing = true;
    return new RenewRequest(resource, null, tenure.grant, leaseMillis, tenure.keptPermits);
  }

  private static long nanos(Tenure tenure, @Nullable Hold holder, long now) {
    if (holder == null) {
      return tenure.leaseNanos;
    }
    long wished = ManualRenewal.longest(tenure.wishesSent);
    if (holder.fixed) {
      long rest = wished > 0 ? wished : holder.endNanos - now;
      return rest + Margins.of(rest) * 2;
    }
    return Math.max(tenure.leaseNanos, wished + Margins.of(wished) * 2);
  }

  /** Takes note that a renewal has failed, and plans the next attempt. */
  void failed(Tenure tenure, Outcome<RenewAnswer> outcome, long now) {
    tenure.renewNanos = Math.min(tenure.renewNanos, now + policy.renewRetryNanos(tenure));
    Throwable cause =
        outcome instanceof Outcome.Unknown<RenewAnswer> unknown ? unknown.cause() : null;
    for (ManualRenewal wish : tenure.takeWishesSent()) {
      effects.renewed(
          wish, policy.unavailable("'" + name + "': the renewal was not confirmed", cause));
    }
  }

  /** Takes note that the store knows how many permits a tenure keeps. */
  void shrunk(Tenure tenure, RenewRequest request) {
    if (tenure.keptPermits == request.permits()) {
      tenure.keptPermits = 0;
      settleShrinking(tenure);
    }
  }

  /** Tells who waits for the store to know how many permits a tenure keeps. */
  void settleShrinking(Tenure tenure) {
    CompletableFuture<Void> shrunk = tenure.shrunk;
    if (shrunk != null) {
      tenure.shrunk = null;
      effects.confirmed(shrunk);
    }
  }

  /** Takes note that a renewal was carried out that was sent at {@code sentNanos}. */
  void extended(
      Tenure tenure, @Nullable Hold holder, RenewRequest request, long sentNanos, long now) {
    long until = Margins.validUntil(sentNanos, request.leaseMillis() * 1_000_000);
    tenure.validUntilNanos = Math.max(tenure.validUntilNanos, until);
    tenure.confirmed = true;
    shrunk(tenure, request);
    if (holder != null && !holder.fixed && tenure.renewNanos == Margins.NEVER) {
      tenure.renewNanos = policy.renewalAfter(now, tenure.validUntilNanos, tenure.leaseNanos);
    }
    List<ManualRenewal> fulfilled = tenure.takeWishesSent();
    if (holder != null && holder.fixed && !fulfilled.isEmpty()) {
      holder.endNanos = sentNanos + ManualRenewal.longest(fulfilled);
    }
    for (ManualRenewal wish : fulfilled) {
      effects.renewed(wish, null);
    }
    if (holder != null && effects.listening()) {
      long left = Math.max(0, holder.validUntilNanos() - now);
      effects.event(new LockEvent.Renewed(name, holder.token, Duration.ofNanos(left)));
    }
  }
}
