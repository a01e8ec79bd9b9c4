package io.lockkeeper.bench.worker;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Sees whether two threads of this process are inside at once. It works with plain reads and
 * writes: under a lock that excludes, nothing more is needed, and it costs the contenders next to
 * nothing.
 */
final class Witness {

  private final AtomicInteger inside = new AtomicInteger();
  private final LongAdder overlaps = new LongAdder();

  void enter() {
    if (inside.getPlain() != 0) {
      overlaps.increment();
    }
    inside.setPlain(1);
  }

  void leave() {
    inside.setPlain(0);
  }

  long overlaps() {
    return overlaps.sum();
  }
}
