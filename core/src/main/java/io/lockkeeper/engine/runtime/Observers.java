package io.lockkeeper.engine.runtime;

import io.lockkeeper.Lease;
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

  private final Guarded[] observers;

  /**
   * An observer, and whether it has been logged that it throws.
   *
   * @param failures takes what the observer throws; throws nothing itself
   */
  private record Guarded(
      LockObserver observer, BiConsumer<String, Throwable> failures, AtomicBoolean failed) {

    @Nullable Attempts begin(LockObserver.Request request) {
      try {
        LockObserver.Attempt attempt = observer.begin(request);
        return attempt == null ? null : new Attempts(this, attempt);
      } catch (Throwable failure) { // an error too: a lock is on its way
        failed(failure);
        return null;
      }
    }

    void failed(Throwable failure) {
      if (failed.compareAndSet(false, true)) {
        failures.accept("a lock observer failed; it is not logged again", failure);
      }
    }
  }

  /**
   * Creates it.
   *
   * @param failures takes what an observer throws; throws nothing itself
   */
  public Observers(List<LockObserver> observers, BiConsumer<String, Throwable> failures) {
    this.observers =
        observers.stream()
            .map(each -> new Guarded(each, failures, new AtomicBoolean()))
            .toArray(Guarded[]::new);
  }

  /** Returns whether there are any. */
  public boolean areThere() {
    return observers.length > 0;
  }

  /** Tells all of them that an attempt begins; returns those that observe its end, or null. */
  public @Nullable Attempts begin(LockObserver.Request request) {
    Attempts first = null;
    Attempts last = null;
    for (Guarded observer : observers) {
      Attempts next = observer.begin(request);
      if (next == null) {
        continue;
      }
      if (last == null) {
        first = next;
      } else {
        last.next = next;
      }
      last = next;
    }
    return first;
  }

  /** One attempt, as an observer and those behind it see it. */
  public static final class Attempts {

    private final Guarded by;
    private final LockObserver.Attempt attempt;
    private @Nullable Attempts next;

    private Attempts(Guarded by, LockObserver.Attempt attempt) {
      this.by = by;
      this.attempt = attempt;
    }

    /** Tells all of them that it brought a hold. */
    public void acquired(Lease lease, LockObserver.Via via, long waitedNanos) {
      for (Attempts each = this; each != null; each = each.next) {
        try {
          each.attempt.acquired(lease, via, waitedNanos);
        } catch (Throwable failure) { // an error too, as above
          each.by.failed(failure);
        }
      }
    }

    /** Tells all of them that the hold was given back. */
    public void released(long heldNanos) {
      for (Attempts each = this; each != null; each = each.next) {
        try {
          each.attempt.released(heldNanos);
        } catch (Throwable failure) { // an error too, as above
          each.by.failed(failure);
        }
      }
    }

    /** Tells all of them what is not told so often that the object for it counts. */
    public void tell(Consumer<LockObserver.Attempt> news) {
      for (Attempts each = this; each != null; each = each.next) {
        try {
          news.accept(each.attempt);
        } catch (Throwable failure) { // an error too, as above
          each.by.failed(failure);
        }
      }
    }
  }
}
