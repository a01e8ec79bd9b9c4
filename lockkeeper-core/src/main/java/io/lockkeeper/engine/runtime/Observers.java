package io.lockkeeper.engine.runtime;

import io.lockkeeper.LockObserver;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls the observers of one client. What one of them throws goes no further, and is logged once
 * for each of them.
 */
public final class Observers {

  private final List<Guarded> observers;
  private final BiConsumer<String, Throwable> failures;

  /** An observer, and whether it has been logged that it throws. */
  private record Guarded(LockObserver observer, AtomicBoolean failed) {}

  /**
   * Creates it.
   *
   * @param failures is told what an observer throws; throws nothing itself
   */
  public Observers(List<LockObserver> observers, BiConsumer<String, Throwable> failures) {
    this.observers =
        observers.stream().map(each -> new Guarded(each, new AtomicBoolean())).toList();
    this.failures = failures;
  }

  /** Returns whether there are any. */
  public boolean areThere() {
    return !observers.isEmpty();
  }

  /** Tells all of them that an attempt begins; returns who wants to hear of its end, or null. */
  public @Nullable Attempts begin(LockObserver.Request request) {
    Attempts first = null;
    Attempts last = null;
    for (int i = 0; i < observers.size(); i++) { // without an iterator: this is on every way
      Guarded observer = observers.get(i);
      Attempts next = begin(observer, request);
      if (last != null) {
        last.next = next;
      }
      first = first == null ? next : first;
      last = next == null ? last : next;
    }
    return first;
  }

  private @Nullable Attempts begin(Guarded observer, LockObserver.Request request) {
    try {
      LockObserver.Attempt attempt = observer.observer.begin(request);
      return attempt == null ? null : new Attempts(observer, attempt);
    } catch (Throwable failure) { // an error too: a lock is on its way
      failed(observer, failure);
      return null;
    }
  }

  private void failed(Guarded observer, Throwable failure) {
    if (observer.failed.compareAndSet(false, true)) {
      failures.accept("a lock observer failed; it is not logged again", failure);
    }
  }

  /** One attempt, as an observer and those behind it see it. */
  public final class Attempts {

    private final Guarded by;
    private final LockObserver.Attempt attempt;
    private @Nullable Attempts next;

    private Attempts(Guarded by, LockObserver.Attempt attempt) {
      this.by = by;
      this.attempt = attempt;
    }

    /** Tells all of them. */
    public void tell(Consumer<LockObserver.Attempt> news) {
      for (Attempts each = this; each != null; each = each.next) {
        try {
          news.accept(each.attempt);
        } catch (Throwable failure) { // an error too, as above
          failed(each.by, failure);
        }
      }
    }
  }
}
