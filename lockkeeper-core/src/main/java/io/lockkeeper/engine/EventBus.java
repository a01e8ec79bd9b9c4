package io.lockkeeper.engine;

import io.lockkeeper.LockEvent;
import io.lockkeeper.LockListener;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The way from the gates to the listeners: one event at a time, in order, on the client's executor.
 * A listener that falls far behind loses events rather than memory, and the log says so once.
 */
final class EventBus {

  private static final int MAX_BACKLOG = 100_000;
  private static final Logger LOG = System.getLogger("io.lockkeeper");

  private final List<LockListener> listeners;
  private final Executor executor;
  private final ConcurrentLinkedQueue<LockEvent> backlog = new ConcurrentLinkedQueue<>();

  /**
   * How many events are published and not yet delivered; the publisher that finds 0 starts
   * delivery.
   */
  private final AtomicInteger pending = new AtomicInteger();

  private volatile boolean overflowed;

  EventBus(List<LockListener> listeners, Executor executor) {
    this.listeners = listeners;
    this.executor = executor;
  }

  boolean hasListeners() {
    return !listeners.isEmpty();
  }

  void publish(LockEvent event) {
    if (pending.get() >= MAX_BACKLOG) {
      if (!overflowed) {
        overflowed = true;
        LOG.log(Level.WARNING, "a lock listener is too slow: events are dropped from here on");
      }
      return;
    }
    backlog.add(event);
    if (pending.getAndIncrement() == 0) {
      executor.execute(this::deliver);
    }
  }

  private void deliver() {
    do {
      LockEvent event = backlog.poll();
      if (event != null) {
        listeners.forEach(listener -> tell(listener, event));
      }
    } while (pending.decrementAndGet() != 0);
  }

  private static void tell(LockListener listener, LockEvent event) {
    try {
      listener.onEvent(event);
    } catch (Throwable failure) { // an error too: the next event is for everybody
      LOG.log(Level.WARNING, "a lock listener failed on " + event, failure);
    }
  }
}
