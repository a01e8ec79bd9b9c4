package io.lockkeeper.zookeeper;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When the clients of this process first saw each grant with its latest stamp, by their own clock.
 *
 * <p>ZooKeeper has no clock that can be trusted for leases. So a lease is over for a client when it
 * has seen the same stamp for as long as the lease lasts: later than its holder, who counts from
 * before it was written. What one client has seen is true for all of the process, so this has a
 * clock of its own. That is the machine's steady one: to stand still while the machine is suspended
 * errs on the safe side, and the clock of a client may run ahead where it has to guess for how
 * long.
 *
 * <p>A lock that rests is another matter: nobody relies on it, and who comes much later is not to
 * wait. Since when it rests is asked of the server's clock, once.
 */
final class LeaseObservations {

  /**
   * Of how many resources observations are kept; forgetting one only makes a dead lease last
   * longer.
   */
  private static final int MOST = 20_000;

  private final LongSupplier clock;
  private final ReentrantLock mutex = new ReentrantLock();
  private final LinkedHashMap<String, Map<String, Long>> byPath =
      new LinkedHashMap<>(16, 0.75f, true);

  /**
   * Creates it.
   *
   * @param clock monotonic nanoseconds, the same for all clients of the process
   */
  LeaseObservations(LongSupplier clock) {
    this.clock = clock;
  }

  /** Records what a record says now. */
  void see(String path, ResourceRecord doc) {
    long nowNanos = clock.getAsLong();
    mutex.lock();
    try {
      if (doc.grants().isEmpty()) {
        byPath.remove(path);
        return;
      }
      Map<String, Long> before = byPath.getOrDefault(path, Map.of());
      Map<String, Long> after = new HashMap<>();
      for (Entry entry : doc.grants()) {
        Long first = before.get(key(entry));
        after.put(key(entry), first == null ? nowNanos : first);
      }
      byPath.put(path, after);
      if (byPath.size() > MOST) {
        Iterator<String> eldest = byPath.keySet().iterator();
        eldest.next();
        eldest.remove();
      }
    } finally {
      mutex.unlock();
    }
  }

  /** Returns a lock's rest of which it is not known when it began, or null. */
  @Nullable Entry unseenRest(String path, ResourceRecord doc) {
    mutex.lock();
    try {
      Map<String, Long> seen = byPath.getOrDefault(path, Map.of());
      return doc.grants().stream()
          .filter(entry -> entry.node().isResting() && !seen.containsKey(key(entry)))
          .findFirst()
          .orElse(null);
    } finally {
      mutex.unlock();
    }
  }

  /** Records a grant, and that it began so long ago. */
  void began(String path, Entry entry, long ageNanos) {
    long nowNanos = clock.getAsLong();
    mutex.lock();
    try {
      Map<String, Long> after = new HashMap<>(byPath.getOrDefault(path, Map.of()));
      after.put(key(entry), nowNanos - ageNanos);
      byPath.put(path, after);
    } finally {
      mutex.unlock();
    }
  }

  /** Returns how long a grant still lasts as far as this process can know. */
  long leftNanos(String path, Entry entry) {
    long nowNanos = clock.getAsLong();
    mutex.lock();
    try {
      Long first = byPath.getOrDefault(path, Map.of()).get(key(entry));
      long seenNanos = first == null ? 0 : nowNanos - first;
      return entry.leaseMillis() * 1_000_000 - seenNanos;
    } finally {
      mutex.unlock();
    }
  }

  private static String key(Entry entry) {
    return entry.node().text() + "#" + entry.stamp();
  }
}
