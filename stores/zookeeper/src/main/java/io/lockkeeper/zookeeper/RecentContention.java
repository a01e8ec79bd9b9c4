package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.support.RecentlyUsed;

/**
 * The resources that this client has lately had to queue for, or others for what it holds. There it
 * queues at once the next time, instead of trying first whether the resource is free: that saves
 * round trips, and if it is free after all, a claim that is in the queue alone is admitted all the
 * same.
 */
final class RecentContention {

  private static final long LATELY_NANOS = 500_000_000;
  private static final int MOST = 10_000;

  private final RecentlyUsed<ResourceId, Long> seen = new RecentlyUsed<>(MOST);

  void seen(ResourceId id, long nowNanos) {
    seen.put(id, nowNanos);
  }

  boolean isContended(ResourceId id, long nowNanos) {
    Long last = seen.get(id);
    return last != null && nowNanos - last < LATELY_NANOS;
  }
}
