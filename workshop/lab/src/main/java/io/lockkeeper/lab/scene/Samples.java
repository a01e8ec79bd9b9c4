package io.lockkeeper.lab.scene;

import io.lockkeeper.lab.scene.app.Turns;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Who was inside when, in samples that are bounded: the instances report the beginning of each half
 * second, and if there are too many of those every other one is dropped, again and again.
 */
final class Samples {

  /** How many half seconds are kept. */
  static final int MAX = 16;

  private final TreeMap<Long, List<Held>> byWindow = new TreeMap<>(); // guarded by this
  private long stride = 1; // guarded by this

  synchronized void add(Held held) {
    long window = held.fromNanos() / Turns.WINDOW_NANOS;
    if (window % stride != 0) {
      return;
    }
    byWindow.computeIfAbsent(window, it -> new ArrayList<>()).add(held);
    while (byWindow.size() > MAX) {
      stride *= 2;
      byWindow.keySet().removeIf(it -> it % stride != 0);
    }
  }

  /** Returns them, in order of time. */
  synchronized List<List<Held>> all() {
    return byWindow.values().stream().map(List::copyOf).toList();
  }
}
