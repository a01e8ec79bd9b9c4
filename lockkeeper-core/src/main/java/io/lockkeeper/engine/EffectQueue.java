package io.lockkeeper.engine;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a state has decided and the world has not seen yet: carried out in the order of the
 * decisions, by one thread at a time, without any lock held.
 */
final class EffectQueue {

  private final ConcurrentLinkedQueue<Runnable> queue = new ConcurrentLinkedQueue<>();

  /**
   * How many times a thread has asked for the queue to be emptied; the one that finds 0 does it.
   */
  private final AtomicInteger drainRequests = new AtomicInteger();

  /**
   * Adds an effect. Called under the mutex of the state, so that the order is that of decisions.
   */
  void add(Runnable effect) {
    queue.add(effect);
  }

  /** Carries out what is there, or leaves it to the thread that is doing so. */
  void drain() {
    if (queue.isEmpty() || drainRequests.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    do {
      for (Runnable effect = queue.poll(); effect != null; effect = queue.poll()) {
        effect.run();
      }
      seen = drainRequests.addAndGet(-seen);
    } while (seen != 0);
  }
}
