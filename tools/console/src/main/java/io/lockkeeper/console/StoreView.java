package io.lockkeeper.console;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.console.LocalPage.Answer;
import io.lockkeeper.spi.Finding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The view of one store on a console, shared by all who look. */
final class StoreView {

  private static final int PAUSES_PER_LOOK = 20;
  private static final int OK = 200;
  private static final int FORBIDDEN = 403;
  private static final int CONFLICT = 409;
  private static final int UNAVAILABLE = 503;

  private final ConsoleStore store;
  private final int number;
  private final ConsoleOptions options;
  private final Survey survey;
  private final ReentrantLock looking = new ReentrantLock();
  private final ReentrantLock examining = new ReentrantLock();
  private volatile @Nullable Map<String, @Nullable Object> latest;

  /** When the store may be looked at again. */
  private volatile long nextLook = System.nanoTime();

  /**
   * Creates a view.
   *
   * @param number of the store among those that the console shows, from 0
   */
  StoreView(ConsoleStore store, int number, ConsoleOptions options) {
    this.store = store;
    this.number = number;
    this.options = options;
    this.survey = new Survey(store.keeper());
  }

  /** Returns the store. */
  ConsoleStore store() {
    return store;
  }

  /** Returns what does not change. */
  Map<String, Object> about() {
    return Map.of(
        "name",
        store.name(),
        "mayExamine",
        store.doctor().isPresent(),
        "mayChoose",
        store.namespaces().isPresent());
  }

  /** Returns what is to be seen, as {@link ConsoleView#state} says. */
  Map<String, @Nullable Object> state() {
    Map<String, @Nullable Object> known = latest;
    if (known != null && (nextLookIn() > 0 || looking.isLocked())) {
      return known;
    }
    looking.lock();
    try {
      known = latest;
      if (known == null || nextLookIn() <= 0) {
        known = look();
        latest = known;
      }
      return known;
    } finally {
      looking.unlock();
    }
  }

  /** Returns in how many nanoseconds the store may be looked at again. */
  long nextLookIn() {
    return nextLook - System.nanoTime();
  }

  private Map<String, @Nullable Object> look() {
    Map<String, @Nullable Object> data = new LinkedHashMap<>();
    data.put("store", number);
    long begin = System.nanoTime();
    long taken = 0;
    try {
      survey.look();
      taken = System.nanoTime() - begin;
      data.putAll(new Snapshot(survey).data(options.mostListed()));
    } catch (LockkeeperException e) { // a store that is away did not work for it
      data.put("away", Secrets.messageOf(e));
    } catch (RuntimeException e) {
      data.put("away", Secrets.hide(e.toString()));
    } finally {
      long pause = Math.max(options.refresh().toNanos(), PAUSES_PER_LOOK * taken);
      nextLook = System.nanoTime() + pause;
    }
    return data;
  }

  /** Examines the store, as {@link ConsoleView#examine} says. */
  Answer examine(ConsoleView.JsonWriter writer) {
    Callable<List<Finding>> doctor = store.doctor().orElse(null);
    if (doctor == null) {
      return Answer.text(FORBIDDEN, "this console has no doctor");
    } else if (!examining.tryLock()) {
      return Answer.text(CONFLICT, "the store is being examined");
    }
    try {
      List<Map<String, String>> found = doctor.call().stream().map(Findings::map).toList();
      return new Answer(OK, "application/json", writer.write(found));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the page closes
      return Answer.text(UNAVAILABLE, "the page closes");
    } catch (Exception e) { // whatever the caller's own doctor throws
      return unavailable(e);
    } finally {
      examining.unlock();
    }
  }

  /** Returns what to say of a store that does not answer. */
  static Answer unavailable(Exception failure) {
    String message = failure.getMessage();
    return Answer.text(UNAVAILABLE, Secrets.hide(message == null ? failure.toString() : message));
  }
}
