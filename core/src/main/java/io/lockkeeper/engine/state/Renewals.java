package io.lockkeeper.engine.state;

import io.lockkeeper.LockEvent;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.engine.policy.ClockDrift;
import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.engine.policy.Names;
import io.lockkeeper.engine.policy.Policy;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the books of renewals: when a grant wants one, what it asks for, and what follows from the
 * answer. Guarded by the coordinator's mutex.
 */
final class Renewals {

  /** How often in a lease to look whether the holder has heard of it at last. */
  private static final int UNHEARD_LOOKS = 16;

  /**
   * How long a hold lasts before a renewal names its thread; sooner, passing on would cost more.
   */
  private static final long NAMED_AFTER_NANOS = 1_000_000_000;

  private final ResourceId resource;
  private final String name;
  private final Policy policy;
  private final Effects effects;

  Renewals(ResourceId resource, Policy policy, Effects effects) {
    this.resource = resource;
    this.name = resource.name();
    this.policy = policy;
    this.effects = effects;
  }

  /** Sets when the store's lease is to be brought in line with what a new holder needs. */
  void plan(CurrentGrant grant, Hold fresh, long now) {
    long wantedUntil = ClockDrift.validUntil(now, fresh.leaseNanos);
    long slack = 2 * ClockDrift.margin(fresh.leaseNanos);
    grant.leaseNanos = fresh.leaseNanos;
    if (!grant.confirmed) {
      grant.renewNanos = Math.min(grant.renewNanos, now + policy.confirmAfterNanos());
    } else if (fresh.fixed) {
      grant.renewNanos = grant.validUntilNanos() < wantedUntil - slack ? now : Instants.NEVER;
    } else {
      grant.renewNanos = policy.renewalAfter(now, grant.validUntilNanos(), fresh.leaseNanos);
    }
    if (grant.namedToken != 0) {
      grant.renewNanos = now; // the store names the thread before
    }
  }

  /** Returns the request to send now, or null if none is due. */
  @Nullable RenewRequest takeIfDue(CurrentGrant grant, @Nullable Hold holder, long now) {
    if (now < grant.renewDueNanos()) {
      return null;
    }
    if (holder != null && !holder.isHeard() && now - holder.acquiredNanos >= holder.leaseNanos) {
      effects.reached(Transition.RENEWAL_OF_THE_UNHEARD);
      grant.renewNanos = now + holder.leaseNanos / UNHEARD_LOOKS;
      return null; // its callback may wait behind others that wait for this
    }
    grant.wishesSent.addAll(grant.wishes);
    grant.wishes.clear();
    long leaseMillis = Math.max(1, (nanos(grant, holder, now) + 999_999) / 1_000_000);
    grant.renewNanos = Instants.NEVER;
    grant.renewing = true;
    return new RenewRequest(
        resource, null, grant.number, leaseMillis, grant.keptPermits, label(grant, holder, now));
  }

  /**
   * Returns the label that a renewal gives, or null if the store has the right one. Only a hold
   * that has lasted is named: so passing a lock on costs at most one more request for each renewal.
   */
  private static @Nullable String label(CurrentGrant grant, @Nullable Hold holder, long now) {
    boolean isLasting = holder != null && now - holder.acquiredNanos >= NAMED_AFTER_NANOS;
    long token = holder != null && isLasting ? holder.token : 0;
    if (!grant.isNamedByRenewals || (token == grant.namedToken && !grant.isNameUnknown)) {
      return null;
    }
    grant.namedToken = token;
    grant.isNameUnknown = false;
    return holder != null && isLasting ? Names.label(holder.acquirer()) : "";
  }

  private static long nanos(CurrentGrant grant, @Nullable Hold holder, long now) {
    if (holder == null) {
      return grant.leaseNanos;
    }
    long wished = ManualRenewal.longest(grant.wishesSent);
    if (holder.fixed) {
      long rest = wished > 0 ? wished : holder.endNanos() - now;
      return rest + ClockDrift.margin(rest) * 2;
    }
    return Math.max(grant.leaseNanos, wished + ClockDrift.margin(wished) * 2);
  }

  /** Records that a renewal has failed, and plans the next attempt. */
  void failed(CurrentGrant grant, @Nullable Hold holder, Outcome<RenewAnswer> outcome, long now) {
    grant.isNameUnknown = true;
    grant.renewNanos =
        Math.min(grant.renewNanos, now + policy.renewRetryNanos(grant.validUntilNanos()));
    Throwable cause =
        outcome instanceof Outcome.Unknown<RenewAnswer> unknown ? unknown.cause() : null;
    if (outcome instanceof Outcome.Refused<RenewAnswer> refused) {
      cause = refused(grant, refused);
    }
    for (ManualRenewal wish : grant.takeWishesSent()) {
      effects.renewed(
          wish, policy.unavailable("'" + name + "': the renewal was not confirmed", cause));
    }
    if (holder != null && effects.wants(LockEvent.RenewalFailed.class)) {
      effects.event(
          new LockEvent.RenewalFailed(resource.kind(), name, holder.token, left(holder, now)));
    }
  }

  /** Logs, once for each grant, why the store does not renew it: otherwise it is just lost. */
  private StoreRefusedException refused(CurrentGrant grant, Outcome.Refused<RenewAnswer> why) {
    StoreRefusedException refusal =
        new StoreRefusedException(why.problem(), "'" + name + "': " + why.message());
    if (!grant.refusalTold) {
      grant.refusalTold = true;
      effects.failed("'" + name + "': the store refuses to renew what is held", refusal);
    }
    return refusal;
  }

  /** Records that the store knows how many permits a grant keeps. */
  void shrunk(CurrentGrant grant, RenewRequest request) {
    if (grant.keptPermits == request.permits()) {
      grant.keptPermits = 0;
      settleShrinking(grant);
    }
  }

  /** Tells who waits for the store to know how many permits a grant keeps. */
  void settleShrinking(CurrentGrant grant) {
    for (Completion listener : grant.takeShrinkListeners()) {
      effects.confirmed(listener, null);
    }
  }

  /**
   * Extends a grant by a renewal that was carried out and was sent at {@code sentNanos}; returns
   * false if it is over.
   */
  boolean extend(CurrentGrant grant, RenewRequest request, long sentNanos) {
    return grant.extend(ClockDrift.validUntil(sentNanos, request.leaseMillis() * 1_000_000));
  }

  /**
   * Lets a fixed lease end as its holder wished with a renewal that was carried out and was sent at
   * {@code sentNanos}; returns false if it has ended.
   */
  boolean extendFixed(CurrentGrant grant, Hold holder, long sentNanos) {
    return !holder.fixed
        || grant.wishesSent.isEmpty()
        || holder.endAt(sentNanos + ManualRenewal.longest(grant.wishesSent));
  }

  /** Records that a renewal was carried out, and has extended the grant. */
  void extended(CurrentGrant grant, @Nullable Hold holder, RenewRequest request, long now) {
    grant.confirmed = true;
    shrunk(grant, request);
    if (holder != null && !holder.fixed && grant.renewNanos == Instants.NEVER) {
      grant.renewNanos = policy.renewalAfter(now, grant.validUntilNanos(), grant.leaseNanos);
    }
    for (ManualRenewal wish : grant.takeWishesSent()) {
      effects.renewed(wish, null);
    }
    if (holder != null && effects.wants(LockEvent.Renewed.class)) {
      effects.event(new LockEvent.Renewed(resource.kind(), name, holder.token, left(holder, now)));
    }
  }

  private static Duration left(Hold holder, long now) {
    return Duration.ofNanos(Math.max(0, holder.validUntilNanos() - now));
  }
}
