package io.lockkeeper.engine.runtime;

import io.lockkeeper.LockObserver;
import java.util.ArrayList;
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

  /** Sees to one attempt on behalf of one observer. */
  private record Watched(Guarded by, LockObserver.Attempt attempt) {}

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
    List<Watched> attempts = new ArrayList<>(observers.size());
    for (Guarded each : observers) {
      tell(
          each,
          () -> {
            LockObserver.Attempt attempt = each.observer.begin(request);
            if (attempt != null) {
              attempts.add(new Watched(each, attempt));
            }
          });
    }
    return attempts.isEmpty() ? null : new Attempts(attempts);
  }

  private void tell(Guarded observer, Runnable call) {
    try {
      call.run();
    } catch (Throwable failure) { // an error too: a lock is on its way
      if (observer.failed.compareAndSet(false, true)) {
        failures.accept("a lock observer failed; it is not logged again", failure);
      }
    }
  }

  /** One attempt, as all observers see it. */
  public final class Attempts {

    private final List<Watched> attempts;

    private Attempts(List<Watched> attempts) {
      this.attempts = attempts;
    }

    /** Tells all of them. */
    public void tell(Consumer<LockObserver.Attempt> news) {
      attempts.forEach(each -> Observers.this.tell(each.by, () -> news.accept(each.attempt)));
    }
  }
}
