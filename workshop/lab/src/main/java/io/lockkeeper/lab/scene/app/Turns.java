package io.lockkeeper.lab.scene.app;

import io.lockkeeper.lab.oversell.Points;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Says where the orders are that somebody watches, and has one wait at a named point until a
 * message lets it go on. The orders of an ordinary load pass.
 */
public final class Turns implements Points {

  /** Said before the strategy gets the order. */
  public static final String ASKS = "asks";

  /** Said when the strategy has dealt with the order. */
  public static final String ENDED = "ended";

  private record Watched(String id, List<String> pauses, List<String> kinds, CountDownLatch go) {}

  private final Consumer<String> say;
  private final LongAdder entered = new LongAdder();
  private static final ThreadLocal<@Nullable Watched> CURRENT = new ThreadLocal<>();
  private final Map<String, Watched> watched = new ConcurrentHashMap<>();

  Turns(Consumer<String> say) {
    this.say = say;
  }

  /**
   * Begins an order of this thread.
   *
   * @param id its name, or nothing if nobody watches it
   * @param pauses the points of which it waits at the first that it comes to
   */
  void begin(String id, List<String> pauses, List<String> kinds) {
    if (!id.isEmpty()) {
      Watched order = new Watched(id, pauses, kinds, new CountDownLatch(1));
      CURRENT.set(order);
      watched.put(id, order);
      at(ASKS);
    }
  }

  void end() {
    at(ENDED);
    CURRENT.remove();
  }

  /** Has an order go on, if it waits or will. */
  void go(String id) {
    Watched order = watched.get(id);
    if (order != null) {
      order.go.countDown();
    }
  }

  /** Returns how often orders that nobody watches have been inside since the last time. */
  long entered() {
    return entered.sumThenReset();
  }

  @Override
  public void at(String point) {
    Watched order = CURRENT.get();
    if (order == null) {
      if (point.equals(ENTERED)) {
        entered.increment();
      }
      return;
    }
    long nanos = System.nanoTime();
    say.accept("at " + order.id + " " + point + " " + nanos);
    if (order.pauses.contains(point)) {
      try {
        order.go.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }
  }

  @Override
  public boolean asks(String kind) {
    Watched order = CURRENT.get();
    return order != null && order.kinds.contains(kind);
  }
}
