package io.lockkeeper.engine.runtime;

import io.lockkeeper.LockEvent;
import io.lockkeeper.LockListener;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/**
 * Brings events to the listeners: one event at a time, in order, on the client's executor. A
 * listener that falls far behind loses events rather than memory, and the log says so once.
 */
public final class EventBus {

  private static final int MAX_BACKLOG = 100_000;
  private static final Logger LOG = System.getLogger("io.lockkeeper");

  private final List<LockListener> listeners;
  private final BiConsumer<String, Throwable> failures;
  private final SerialExecutor queue;

  /** How many events are published and not yet delivered. */
  private final AtomicInteger pending = new AtomicInteger();

  /** How many events were dropped. */
  private final AtomicLong dropped = new AtomicLong();

  /**
   * Creates one.
   *
   * @param failures is told what a listener throws; throws nothing itself
   */
  public EventBus(
      List<LockListener> listeners, Executor executor, BiConsumer<String, Throwable> failures) {
    this.listeners = listeners;
    this.failures = failures;
    this.queue = new SerialExecutor("the lock listeners", executor, failures);
  }

  /** Returns whether anybody listens. */
  public boolean hasListeners() {
    return !listeners.isEmpty();
  }

  /** Returns how many events were dropped. */
  public long dropped() {
    return dropped.get();
  }

  /** Tells the listeners of an event, soon. */
  public void publish(LockEvent event) {
    if (pending.get() >= MAX_BACKLOG) {
      if (dropped.getAndIncrement() == 0) {
        LOG.log(Level.WARNING, "a lock listener is too slow: events are dropped from here on");
      }
      return;
    }
    pending.incrementAndGet();
    queue.add(() -> deliver(event));
    queue.drain();
  }

  private void deliver(LockEvent event) {
    pending.decrementAndGet();
    listeners.forEach(listener -> tell(listener, event));
  }

  private void tell(LockListener listener, LockEvent event) {
    try {
      listener.onEvent(event);
    } catch (Throwable failure) { // an error too: the next event is for everybody
      failures.accept("a lock listener failed on " + event, failure);
    }
  }
}
