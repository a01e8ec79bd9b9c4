package io.lockkeeper.engine.runtime;

import io.lockkeeper.engine.policy.Instants;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Waits, while a client closes, until the store has confirmed what its coordinators gave up.
 *
 * @param <T> what is waited for
 */
public final class Draining<T> {

  private final Set<T> left = ConcurrentHashMap.newKeySet();
  private final CountDownLatch over = new CountDownLatch(1);

  /** Begins to wait for all of these: before the first can be {@link #drained}. */
  public void begin(Collection<? extends T> all) {
    left.addAll(all);
  }

  /** Notes that the store has confirmed everything of one of them. */
  public void drained(T one) {
    if (left.remove(one) && left.isEmpty()) {
      over.countDown();
    }
  }

  /** Waits for so long, through interrupts; returns whether all are drained. */
  public boolean await(ClientRuntime runtime, long nanos) {
    long end = Instants.after(runtime.now(), nanos);
    return left.isEmpty()
        || Uninterruptibly.await(runtime, end, wait -> over.await(wait, TimeUnit.NANOSECONDS));
  }
}
