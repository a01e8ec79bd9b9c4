package io.lockkeeper.spi.record;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.rule.LockGrant;
import io.lockkeeper.spi.rule.LockRecord;
import io.lockkeeper.spi.rule.LockRule;
import io.lockkeeper.spi.rule.PermitRecord;
import io.lockkeeper.spi.rule.PermitRule;
import io.lockkeeper.spi.rule.QueueRule;
import io.lockkeeper.spi.rule.StoreTime;
import io.lockkeeper.spi.rule.StoredClaim;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;

/** Decides by the rule on the records of resources. */
final class ResourceSteps {

  /** An operation of the rule. */
  interface Operation<T> {

    T apply(QueueRule<NeedsMore> rule) throws NeedsMore;
  }

  private final StoreContext context;
  private final Keys keys;
  private final LongSupplier clockMicros;

  ResourceSteps(StoreContext context, Keys keys, LongSupplier clockMicros) {
    this.context = context;
    this.keys = keys;
    this.clockMicros = clockMicros;
  }

  /** Returns the step that carries out an operation. */
  <T> Decision.Step<T> step(ResourceId resource, Operation<T> operation) {
    return reading -> decide(resource, operation, reading);
  }

  private <T> Decision<T> decide(ResourceId resource, Operation<T> operation, Reading reading)
      throws NeedsMore {
    long now = clockMicros.getAsLong();
    ResourceHead head = ResourceHead.of(resource.kind(), reading);
    ClaimList claims = claims(reading, head, now);
    QueueRule<NeedsMore> rule = rule(resource.kind(), head, claims, StoreTime.at(now));
    T answer = operation.apply(rule);
    ResourceHead after = head.after(rule, claims.lastArrival());
    boolean isForgotten =
        after.isIdle()
            && claims.isForgettable()
            && after.lastToken() < Math.max(now, ResourceHead.floor(reading.version() + 1));
    Change change =
        new Change(
            keys.of(resource),
            reading.version(),
            isForgotten ? null : after.write(),
            claims.removed(),
            claims.put(),
            rule.notices().stream().map(notice -> Messages.of(resource, notice)).toList());
    return Decision.of(reading, Outcome.answered(answer), change);
  }

  private ClaimList claims(Reading reading, ResourceHead head, long now) {
    return new ClaimList(context.clientId(), context.timings(), now, reading, head.lastArrival());
  }

  private QueueRule<NeedsMore> rule(
      ResourceKind kind, ResourceHead head, ClaimList claims, StoreTime time) throws NeedsMore {
    LockRecord lock = head.lock();
    if (lock != null) {
      return new LockRule<>(context.clientId(), time, lock, claims);
    }
    claims.needAll();
    PermitRecord permits = Objects.requireNonNull(head.permits());
    return new PermitRule<>(context.clientId(), time, kind, permits, claims);
  }

  /** Returns the step that changes nothing, and says what others see. */
  Decision.Step<Inspection> inspection(ResourceId resource) {
    return reading -> new Decision<>(Outcome.answered(inspect(resource, reading)), null);
  }

  private Inspection inspect(ResourceId resource, Reading reading) throws NeedsMore {
    long now = clockMicros.getAsLong();
    ResourceHead head = ResourceHead.of(resource.kind(), reading);
    ClaimList claims = claims(reading, head, now);
    claims.needAll();
    List<Inspection.Waiter> waiters =
        claims.liveWaiting().stream().map(claim -> claim.inspectWaiting(now)).toList();
    PermitRecord permits = head.permits();
    if (permits == null) {
      LockGrant holder = head.holder();
      boolean isHeld = holder != null && now < holder.end().micros();
      return new Inspection(holder == null || !isHeld ? null : holder.inspect(now), waiters);
    }
    List<StoredClaim> grants = claims.liveGrants();
    boolean isUsed = permits.resized() || !grants.isEmpty() || !waiters.isEmpty();
    return new Inspection(
        grants.stream().map(grant -> grant.inspectGrant(now)).toList(),
        waiters,
        isUsed ? permits.limit() : Inspection.UNSET,
        grants.stream().mapToLong(StoredClaim::permits).sum());
  }
}
