package io.lockkeeper.jdbc;

import io.lockkeeper.spi.ClaimRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Remembers a client's own claims, so that less has to be asked and written. */
final class KnownClaims {

  /** How many resources are remembered on which this client was heard of. */
  private static final int MOST_HEARD = 10_000;

  /** When this client was last heard of, by resource. */
  private final Map<Long, Long> heardNanos = new ConcurrentHashMap<>();

  /** The largest number of a claim that was asked for. */
  private final AtomicLong newest = new AtomicLong(Long.MIN_VALUE);

  /**
   * Returns whether a claim has not been asked for before, so that it need not be looked for. To be
   * called once each time that it is asked for. Claims mostly come in the order of their numbers;
   * one that does not counts as known, and is looked for in vain.
   */
  boolean isNew(ClaimRequest request) {
    return newest.getAndAccumulate(request.claim(), Math::max) < request.claim();
  }

  /** Returns whether this client was last heard of on a resource so long ago, or never. */
  boolean isUnheard(long resource, long nowNanos, long sinceNanos) {
    Long last = heardNanos.get(resource);
    return last == null || nowNanos - last >= sinceNanos;
  }

  void heard(long resource, long nowNanos) {
    if (heardNanos.size() >= MOST_HEARD) {
      heardNanos.clear();
    }
    heardNanos.put(resource, nowNanos);
  }
}
