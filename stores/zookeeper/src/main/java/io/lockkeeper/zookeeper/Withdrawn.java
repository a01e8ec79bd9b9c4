package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Store;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which claims this client has lately taken back at barriers, so that they are not made after that;
 * or which other requests it has lately made, by their numbers.
 *
 * <p>It is enough to know it here: the requests of a session are carried out in the order in which
 * they were sent, also when it goes on at another server, so that no copy of a request overtakes
 * the deletion of its node.
 */
final class Withdrawn {

  private static final long KEEP_NANOS = Store.WITHDRAWN_MILLIS * 1_000_000;

  private record Claim(ResourceId id, long number) {}

  private final ReentrantLock mutex = new ReentrantLock();

  /** When each was taken back, in that order. */
  private final Map<Claim, Long> claims = new LinkedHashMap<>();

  void add(ResourceId id, long claim, long nowNanos) {
    mutex.lock();
    try {
      forget(nowNanos);
      Claim withdrawn = new Claim(id, claim);
      claims.remove(withdrawn);
      claims.put(withdrawn, nowNanos);
    } finally {
      mutex.unlock();
    }
  }

  boolean has(ResourceId id, long claim, long nowNanos) {
    mutex.lock();
    try {
      forget(nowNanos);
      return claims.containsKey(new Claim(id, claim));
    } finally {
      mutex.unlock();
    }
  }

  private void forget(long nowNanos) {
    Iterator<Long> times = claims.values().iterator();
    while (times.hasNext() && nowNanos - times.next() > KEEP_NANOS) {
      times.remove();
    }
  }
}
