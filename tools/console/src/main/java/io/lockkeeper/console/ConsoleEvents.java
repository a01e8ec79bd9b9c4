package io.lockkeeper.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The looks at the stores of a {@link ConsoleView} as events for all who watch. Each store is
 * looked at by itself, as often as the view lets it, and only while somebody watches; then no
 * thread is held either.
 */
public final class ConsoleEvents implements AutoCloseable {

  /** The name of the events, by which the page knows them. */
  public static final String NAME = "state";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final ConsoleView view;
  private final BooleanSupplier isWatched;
  private final Receiver receiver;
  private final ScheduledThreadPoolExecutor threads;

  /** The last look at each store. */
  private final Map<Integer, String> latest = new ConcurrentHashMap<>();

  /** The stores at which a look is under way or planned. */
  private final Set<Integer> looking = ConcurrentHashMap.newKeySet();

  /** Takes looks, of several stores at the same time. */
  @FunctionalInterface
  public interface Receiver {

    /**
     * Takes a look. As long as this runs, the store is not looked at again.
     *
     * @param store its number
     * @param json what was seen, in one line
     */
    void receive(int store, String json);
  }

  /**
   * Creates events.
   *
   * @param isWatched returns whether anybody watches
   * @param receiver sends them to all who do
   */
  public ConsoleEvents(ConsoleView view, BooleanSupplier isWatched, Receiver receiver) {
    this.view = view;
    this.isWatched = isWatched;
    this.receiver = receiver;
    this.threads =
        new ScheduledThreadPoolExecutor(
            view.size(),
            task -> {
              Thread thread = new Thread(task, "lockkeeper-console");
              thread.setDaemon(true);
              return thread;
            },
            (task, closed) -> {}); // a watch that begins while it closes sees nothing more
    threads.setKeepAliveTime(1, TimeUnit.SECONDS);
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Begins to look, if that has not been done, for somebody who is counted as watching from now on.
   * Gives the last look at each store, which may be long ago, to that receiver.
   */
  public void begin(Receiver newcomer) {
    grow();
    for (int store = 0; store < view.size(); store++) {
      String known = latest.get(store);
      if (known != null) {
        newcomer.receive(store, known);
      }
      wake(store);
    }
  }

  /** Sees to it that there is a thread for each store, also for one that has just been added. */
  private void grow() {
    int size;
    do {
      size = view.size();
      threads.setCorePoolSize(size);
    } while (size != view.size()); // another thread may have set what was too small by then
  }

  private void wake(int store) {
    if (looking.add(store)) {
      threads.execute(() -> look(store));
    }
  }

  private void look(int store) {
    if (!isWatched.getAsBoolean()) {
      looking.remove(store);
      if (isWatched.getAsBoolean()) { // somebody came in between, and did not wake it
        wake(store);
      }
      return;
    }
    try {
      String json = write(view.state(store));
      latest.put(store, json);
      receiver.receive(store, json);
    } finally {
      long pause = Math.max(1, view.nextLookIn(store));
      var unused = threads.schedule(() -> look(store), pause, TimeUnit.NANOSECONDS);
    }
  }

  /** Returns JSON in one line. */
  static String write(Object data) {
    try {
      return JSON.writeValueAsString(data);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Ends the looks. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}
