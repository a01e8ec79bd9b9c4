package io.lockkeeper.memory;

import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.rule.Notice;
import io.lockkeeper.spi.rule.QueueRule;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One resource: its grants, its queue and its largest token. What an operation makes of them says
 * the {@link QueueRule}; the server calls one operation at a time and says what time it is.
 */
abstract sealed class Resource permits LockResource, PoolResource {

  final String namespace;
  final ResourceId id;
  final Journal journal;
  final ClaimTable claims;

  Resource(String namespace, ResourceId id, Journal journal) {
    this.namespace = namespace;
    this.id = id;
    this.journal = journal;
    this.claims = new ClaimTable(namespace, id, journal);
  }

  /** Makes the resource of this id, new and free. */
  static Resource create(String namespace, ResourceId id, Journal journal) {
    return id.isExclusive()
        ? new LockResource(namespace, id, journal)
        : new PoolResource(namespace, id, journal);
  }

  /** Carries out an operation. */
  abstract <T extends @Nullable Object> T run(
      ServerStep step, Function<QueueRule<RuntimeException>, T> operation);

  /** Fails if a release says what cannot be. */
  abstract void check(ServerStep step, ReleaseRequest request);

  abstract Inspection inspect(long nowMicros);

  /** Returns whether nothing but its tokens keeps it: nobody holds it or waits for it. */
  abstract boolean isIdle();

  /** Returns the largest token given, less what was given back. */
  abstract long lastToken();

  abstract List<ResourceState.HolderState> holders(long nowMicros);

  /** Returns whether it can be forgotten: a new one would give larger tokens by the clock alone. */
  final boolean isForgettable(long nowMicros) {
    return isIdle() && claims.isForgettable(nowMicros) && lastToken() < nowMicros;
  }

  final ResourceState state(long nowMicros) {
    return new ResourceState(
        namespace,
        id,
        holders(nowMicros),
        claims.state(nowMicros),
        claims.heartbeats(),
        lastToken());
  }

  /** Sends notices. */
  final void tell(ServerStep step, List<Notice> notices) {
    for (Notice notice : notices) {
      if (notice instanceof Notice.Granted granted) {
        step.outbox().granted(granted.client(), id, granted.grant());
      } else if (notice instanceof Notice.Contended) {
        step.outbox().contended(notice.client(), id);
      } else {
        step.outbox().revoked(notice.client(), id);
      }
    }
  }
}
