package io.lockkeeper.engine.state;

import io.lockkeeper.spi.CellState;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps who watches one register.
 *
 * <p>Not thread-safe: guarded by the coordinator's mutex.
 */
final class Watchers {

  private static final class Watching {

    final RegisterWatcher watcher;

    /** The last read that was sent before it came. */
    final long since;

    /** Whether the store has to tell it of changes. */
    boolean mustBeTold;

    Watching(RegisterWatcher watcher, long since) {
      this.watcher = watcher;
      this.since = since;
      this.mustBeTold = !watcher.looksFirst();
    }
  }

  private final RegisterEffects effects;
  private final List<Watching> all = new ArrayList<>();

  Watchers(RegisterEffects effects) {
    this.effects = effects;
  }

  /** Adds one that came after the read of that number was sent. */
  void add(RegisterWatcher watcher, long readNumber) {
    all.add(new Watching(watcher, readNumber));
  }

  /** Takes one out; returns whether it was there. */
  boolean remove(RegisterWatcher watcher) {
    return all.removeIf(watching -> watching.watcher == watcher);
  }

  void clear() {
    all.clear();
  }

  boolean isEmpty() {
    return all.isEmpty();
  }

  /** Returns whether the store has to tell one of them of changes. */
  boolean mustBeTold() {
    for (Watching watching : all) {
      if (watching.mustBeTold) {
        return true;
      }
    }
    return false;
  }

  /** Shows those that came before a read what it has found. */
  void see(CellState state, long readNumber) {
    for (Watching watching : List.copyOf(all)) {
      if (watching.since < readNumber) {
        watching.mustBeTold = true; // unless it is over now
        if (watching.watcher.sees(state)) {
          tell(watching);
        }
      }
    }
  }

  /** Tells all that the store does not say what the register is. */
  void fail(RuntimeException failure) {
    for (Watching watching : List.copyOf(all)) {
      if (watching.watcher.fails(failure)) {
        tell(watching);
      }
    }
  }

  private void tell(Watching watching) {
    if (watching.watcher.isOver()) {
      all.remove(watching);
    }
    effects.tell(watching.watcher::tell);
  }
}
