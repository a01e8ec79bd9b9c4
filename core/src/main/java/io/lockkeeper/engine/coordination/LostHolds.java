package io.lockkeeper.engine.coordination;

import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.engine.state.Hold;
import io.lockkeeper.spi.ResourceId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what the threads of a client have lost and not yet unlocked: each until its thread has
 * unlocked it, or has died. A thread that never unlocks what it has lost is remembered as long as
 * it lives, however long ago the loss is, because it may go on as if it held the lock at any time.
 */
public final class LostHolds {

  /** How many are remembered: the oldest go first. */
  private static final int MOST = 10_000;

  /** How often it is looked whether their threads are alive. */
  private static final long SWEEP_NANOS = 1_000_000_000;

  private record Key(Thread thread, ResourceId resource) {}

  /** May be taken under a coordinator's mutex; nothing is called under it. */
  private final ReentrantLock mutex = new ReentrantLock();

  /** In the order in which they came. Guarded by the mutex. */
  private final Map<Key, Hold> losses = new LinkedHashMap<>();

  /** Whether there are any; read without the mutex, to spare the common case its price. */
  private volatile boolean any;

  void add(Thread owner, ResourceId resource, Hold lost) {
    mutex.lock();
    try {
      losses.put(new Key(owner, resource), lost);
      if (losses.size() > MOST) {
        losses.remove(losses.keySet().iterator().next());
      }
      any = true;
    } finally {
      mutex.unlock();
    }
  }

  /** Returns what a thread has lost and not yet unlocked, or null. */
  public @Nullable Hold of(Thread owner, ResourceId resource) {
    if (!any) {
      return null;
    }
    mutex.lock();
    try {
      return losses.get(new Key(owner, resource));
    } finally {
      mutex.unlock();
    }
  }

  /** Forgets what a thread has lost. */
  public void forget(Thread owner, ResourceId resource) {
    mutex.lock();
    try {
      losses.remove(new Key(owner, resource));
      any = !losses.isEmpty();
    } finally {
      mutex.unlock();
    }
  }

  /** Forgets the losses of the dead; returns when to do so again. */
  long sweep(long now) {
    if (!any) {
      return Instants.NEVER;
    }
    mutex.lock();
    try {
      losses.keySet().removeIf(key -> !key.thread().isAlive());
      any = !losses.isEmpty();
      return any ? now + SWEEP_NANOS : Instants.NEVER;
    } finally {
      mutex.unlock();
    }
  }
}
