package io.lockkeeper.memory;

import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.rule.LockGrant;
import io.lockkeeper.spi.rule.LockRecord;
import io.lockkeeper.spi.rule.LockRule;
import io.lockkeeper.spi.rule.QueueRule;
import io.lockkeeper.spi.rule.StoreTime;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A lock. */
final class LockResource extends Resource {

  private LockRecord record = LockRecord.NEW;

  LockResource(String namespace, ResourceId id, Journal journal) {
    super(namespace, id, journal);
  }

  @Override
  <T extends @Nullable Object> T run(
      ServerStep step, Function<QueueRule<RuntimeException>, T> operation) {
    LockRule<RuntimeException> rule =
        new LockRule<>(
            step.clientId(), StoreTime.at(step.nowMicros()), record, claims.seenBy(step));
    T answer = operation.apply(rule);
    record = rule.record();
    rule.admissions().forEach(made -> write(step, made));
    tell(step, rule.notices());
    return answer;
  }

  private void write(ServerStep step, LockRule.Admission made) {
    List<GrantRecord.Admitted> admitted =
        made.batch().stream()
            .map(claim -> new GrantRecord.Admitted(claim.claim(), claim.arrival()))
            .toList();
    journal.write(
        new GrantRecord(
            namespace,
            id,
            made.grant().client(),
            made.grant().grant(),
            1,
            made.grant().firstToken(),
            made.grant().lastToken(),
            made.batch().isEmpty()
                ? List.of(new GrantRecord.Admitted(made.grant().grant(), journal.nextArrival()))
                : admitted,
            step.nowMicros(),
            !made.batch().isEmpty()));
  }

  @Override
  void check(ServerStep step, ReleaseRequest request) {
    LockGrant current = record.holder();
    boolean isMeant =
        current != null
            && step.nowMicros() < current.end().micros()
            && current.client().equals(step.clientId())
            && current.grant() == request.grant();
    if (current != null && isMeant && request.usedToken() > current.lastToken()) {
      throw new IllegalStateException(
          "used token "
              + request.usedToken()
              + " is not in the block up to "
              + current.lastToken());
    }
  }

  @Override
  Inspection inspect(long nowMicros) {
    LockGrant current = record.holder();
    boolean isHeld = current != null && nowMicros < current.end().micros();
    Inspection.Holder holder = current == null || !isHeld ? null : current.inspect(nowMicros);
    return new Inspection(holder, claims.inspectWaiting(nowMicros));
  }

  @Override
  boolean isIdle() {
    return record.holder() == null && claims.isEmpty();
  }

  @Override
  long lastToken() {
    return record.lastToken();
  }

  @Override
  List<ResourceState.HolderState> holders(long nowMicros) {
    LockGrant current = record.holder();
    return current == null
        ? List.of()
        : List.of(
            new ResourceState.HolderState(
                current.client(),
                current.grant(),
                1,
                current.claims(),
                current.firstToken(),
                current.lastToken(),
                current.end().micros() - nowMicros,
                current.confirmed()));
  }
}
