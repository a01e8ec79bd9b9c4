package io.lockkeeper.engine.runtime;

import io.lockkeeper.LockEvent;
import io.lockkeeper.LockListener;
import io.lockkeeper.LockListener.Connection;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Brings events to the listeners: one event at a time, in order, on the client's executor. A
 * listener that falls far behind loses events rather than memory, and the log says so once.
 */
public final class EventBus {

  private static final int MAX_BACKLOG = 100_000;
  private static final Logger LOG = System.getLogger("io.lockkeeper");

  private static final List<Class<? extends LockEvent>> KINDS =
      List.of(
          LockEvent.Acquired.class,
          LockEvent.Released.class,
          LockEvent.Waited.class,
          LockEvent.HandedOver.class,
          LockEvent.Renewed.class,
          LockEvent.RenewalFailed.class,
          LockEvent.Lost.class,
          LockEvent.Deadlock.class,
          LockEvent.Abandoned.class);

  /** A listener with the kinds of events that it listens to. */
  private record Wishes(LockListener listener, Set<Class<? extends LockEvent>> kinds) {

    static Wishes of(LockListener listener) {
      return new Wishes(
          listener, KINDS.stream().filter(listener::wants).collect(Collectors.toUnmodifiableSet()));
    }
  }

  private final List<Wishes> listeners;

  /** The kinds of events that at least one listener wants. */
  private final Set<Class<? extends LockEvent>> wanted;

  private final BiConsumer<String, Throwable> failures;
  private final SerialExecutor queue;

  /** How many events are published and not yet delivered. */
  private final AtomicInteger pending = new AtomicInteger();

  /**
   * Whether the listeners were told of a connection. Used only in the queue, which runs one after
   * the other: so the first that they hear is the first connection, whichever thread found it.
   */
  private boolean isConnected;

  /** How many events were dropped. */
  private final AtomicLong dropped = new AtomicLong();

  /**
   * Creates one.
   *
   * @param failures takes what a listener throws; throws nothing itself
   */
  public EventBus(
      List<LockListener> listeners, Executor executor, BiConsumer<String, Throwable> failures) {
    this.listeners = listeners.stream().map(Wishes::of).toList();
    this.wanted = KINDS.stream().filter(this::isWanted).collect(Collectors.toUnmodifiableSet());
    this.failures = failures;
    this.queue = new SerialExecutor("the lock listeners", executor, failures);
  }

  private boolean isWanted(Class<? extends LockEvent> kind) {
    return listeners.stream().anyMatch(each -> each.kinds().contains(kind));
  }

  /** Returns whether anybody listens to events of a kind; others need not be made. */
  public boolean wants(Class<? extends LockEvent> kind) {
    return wanted.contains(kind);
  }

  /** Returns how many events were dropped. */
  public long dropped() {
    return dropped.get();
  }

  /** Tells the listeners of an event, soon. */
  public void publish(LockEvent event) {
    publish(
        () ->
            deliver(
                event,
                each -> {
                  if (each.kinds().contains(event.getClass())) {
                    each.listener().onEvent(event);
                  }
                }));
  }

  /** Tells the listeners that there is a connection, soon; and whether it is the first. */
  public void publishConnection() {
    if (!listeners.isEmpty()) {
      publish(
          () -> {
            Connection change = isConnected ? Connection.RECONNECTED : Connection.CONNECTED;
            isConnected = true;
            deliver(change, each -> each.listener().onConnection(change));
          });
    }
  }

  private void publish(Runnable delivery) {
    if (pending.get() >= MAX_BACKLOG) {
      if (dropped.getAndIncrement() == 0) {
        LOG.log(Level.WARNING, "a lock listener is too slow: events are dropped from here on");
      }
      return;
    }
    pending.incrementAndGet();
    queue.add(
        () -> {
          pending.decrementAndGet();
          delivery.run();
        });
    queue.drain();
  }

  private void deliver(Object what, Consumer<Wishes> news) {
    listeners.forEach(listener -> tell(listener, what, news));
  }

  private void tell(Wishes listener, Object what, Consumer<Wishes> news) {
    try {
      news.accept(listener);
    } catch (Throwable failure) { // an error too: the next event is for everybody
      failures.accept("a lock listener failed on " + what, failure);
    }
  }
}
