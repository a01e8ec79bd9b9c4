package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.ResourceId;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which resources this client has lately had to queue for. There it queues at once the next time,
 * instead of trying first whether the resource is free: that saves round trips, and if it is free
 * after all, whoever is in the queue alone is let in all the same.
 */
final class Crowds {

  private static final long LATELY_NANOS = 500_000_000;
  private static final int MOST = 10_000;

  private final ReentrantLock mutex = new ReentrantLock();
  private final Map<ResourceId, Long> seen = new LinkedHashMap<>();

  void seen(ResourceId id, long nowNanos) {
    mutex.lock();
    try {
      seen.remove(id);
      seen.put(id, nowNanos);
      if (seen.size() > MOST) {
        Iterator<ResourceId> eldest = seen.keySet().iterator();
        eldest.next();
        eldest.remove();
      }
    } finally {
      mutex.unlock();
    }
  }

  boolean isCrowded(ResourceId id, long nowNanos) {
    mutex.lock();
    try {
      Long last = seen.get(id);
      if (last == null) {
        return false;
      }
      if (nowNanos - last < LATELY_NANOS) {
        return true;
      }
      seen.remove(id);
      return false;
    } finally {
      mutex.unlock();
    }
  }
}
