package io.lockkeeper.bench;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Sees whether more threads of this process are inside at once than may be. Where that is one, it
 * works with plain reads and writes: under a lock that excludes, nothing more is needed, and it
 * costs the contenders next to nothing.
 */
final class Witness {

  private final int limit;
  private final AtomicInteger inside = new AtomicInteger();
  private final LongAdder overlaps = new LongAdder();

  /**
   * Creates a witness.
   *
   * @param limit how many may be inside at once; {@link Integer#MAX_VALUE} if it does not matter
   */
  Witness(int limit) {
    this.limit = limit;
  }

  void enter() {
    if (limit == 1) {
      if (inside.getPlain() != 0) {
        overlaps.increment();
      }
      inside.setPlain(1);
    } else if (limit < Integer.MAX_VALUE && inside.incrementAndGet() > limit) {
      overlaps.increment();
    }
  }

  void leave() {
    if (limit == 1) {
      inside.setPlain(0);
    } else if (limit < Integer.MAX_VALUE) {
      inside.decrementAndGet();
    }
  }

  long overlaps() {
    return overlaps.sum();
  }
}
