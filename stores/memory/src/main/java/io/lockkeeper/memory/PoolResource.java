package io.lockkeeper.memory;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.rule.PermitRecord;
import io.lockkeeper.spi.rule.PermitRule;
import io.lockkeeper.spi.rule.QueueRule;
import io.lockkeeper.spi.rule.StoreTime;
import io.lockkeeper.spi.rule.StoredClaim;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A resource that is shared. */
final class PoolResource extends Resource {

  private final ResourceKind kind;
  private PermitRecord record = PermitRecord.NEW;

  PoolResource(String namespace, ResourceId id, Journal journal) {
    super(namespace, id, journal);
    this.kind = id.kind();
  }

  @Override
  <T extends @Nullable Object> T run(
      ServerStep step, Function<QueueRule<RuntimeException>, T> operation) {
    StoreTime time = StoreTime.at(step.nowMicros());
    PermitRule<RuntimeException> rule =
        new PermitRule<>(step.clientId(), time, kind, record, claims.seenBy(step));
    T answer = operation.apply(rule);
    record = rule.record();
    tell(step, rule.notices());
    return answer;
  }

  @Override
  void check(ServerStep step, ReleaseRequest request) {}

  @Override
  Inspection inspect(long nowMicros) {
    List<Inspection.Holder> holders =
        claims.liveGrants(nowMicros).map(grant -> grant.inspectGrant(nowMicros)).toList();
    List<Inspection.Waiter> waiting = claims.inspectWaiting(nowMicros);
    boolean inUse = record.resized() || !holders.isEmpty() || !waiting.isEmpty();
    long held = holders.stream().mapToLong(Inspection.Holder::permits).sum();
    return new Inspection(holders, waiting, inUse ? record.limit() : Inspection.UNSET, held);
  }

  @Override
  boolean isIdle() {
    return !record.resized() && claims.isEmpty();
  }

  @Override
  long lastToken() {
    return record.lastToken();
  }

  @Override
  List<ResourceState.HolderState> holders(long nowMicros) {
    return claims.grants().map(grant -> state(grant, nowMicros)).toList();
  }

  private static ResourceState.HolderState state(StoredClaim grant, long nowMicros) {
    return new ResourceState.HolderState(
        grant.client(),
        grant.claim(),
        grant.permits(),
        List.of(grant.claim()),
        grant.token(),
        grant.token(),
        grant.end().micros() - nowMicros,
        grant.confirmed());
  }
}
