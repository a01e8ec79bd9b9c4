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
import java.util.function.Consumer;

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
    publish(event, listener -> listener.onEvent(event));
  }

  /** Tells the listeners of a change of the connection, soon. */
  public void publish(LockListener.Connection change) {
    if (hasListeners()) {
      publish(change, listener -> listener.onConnection(change));
    }
  }

  private void publish(Object what, Consumer<LockListener> news) {
    if (pending.get() >= MAX_BACKLOG) {
      if (dropped.getAndIncrement() == 0) {
        LOG.log(Level.WARNING, "a lock listener is too slow: events are dropped from here on");
      }
      return;
    }
    pending.incrementAndGet();
    queue.add(() -> deliver(what, news));
    queue.drain();
  }

  private void deliver(Object what, Consumer<LockListener> news) {
    pending.decrementAndGet();
    listeners.forEach(listener -> tell(listener, what, news));
  }

  private void tell(LockListener listener, Object what, Consumer<LockListener> news) {
    try {
      news.accept(listener);
    } catch (Throwable failure) { // an error too: the next event is for everybody
      failures.accept("a lock listener failed on " + what, failure);
    }
  }
}
