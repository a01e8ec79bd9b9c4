package io.lockkeeper.memory;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Forced;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.LookAnswer;
import io.lockkeeper.spi.LookRequest;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.Resized;
import io.lockkeeper.spi.ResourceKind;

/**
 * One resource: its grants, its queue and its largest token. It is the rule of the queue and
 * nothing else: no thread, no lock, no clock; the server calls it one operation at a time and says
 * what time it is.
 *
 * <p>Whatever ends a grant or frees a part of one lets the next claims in, in the same step.
 */
sealed interface Resource permits LockResource, PoolResource {

  /** Makes the resource of this id, new and free. */
  static Resource create(String namespace, String id, Journal journal) {
    ResourceKind kind = ResourceKind.of(id);
    return kind == ResourceKind.LOCK
        ? new LockResource(namespace, id, journal)
        : new PoolResource(namespace, id, kind, journal);
  }

  ClaimAnswer claim(Step step, ClaimRequest request);

  ReleaseAnswer release(Step step, ReleaseRequest request);

  void withdraw(Step step, long claim);

  RenewAnswer renew(Step step, RenewRequest request);

  LookAnswer look(Step step, LookRequest request);

  Inspection inspect(long nowMicros);

  Forced forceRelease(Step step, ForceRequest request);

  Resized resize(Step step, ResizeRequest request);

  /** Returns whether it can be forgotten: a new one would give larger tokens by the clock alone. */
  boolean isForgettable(long nowMicros);

  /** Returns whether nothing but its tokens keeps it: nobody holds it or waits for it. */
  boolean isIdle();

  ResourceState state(long nowMicros);
}
