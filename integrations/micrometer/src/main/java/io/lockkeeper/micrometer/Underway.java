package io.lockkeeper.micrometer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/**
 * The requests and holds that go on, each in a place of its own: how many there are, and since when
 * the oldest has been held.
 *
 * <p>A place is written far more often than the places are counted. So there are no counters that
 * all threads share: a thread finds its place by its id, mostly the same again, and a request that
 * becomes a hold and ends makes one atomic operation, no object and no work for the garbage
 * collector. What finds no place there is kept in a map. Places are as far apart as cache lines, so
 * that a thread on one processor does not wait for a write of another thread on the next.
 */
final class Underway {

  private static final int SLOTS = 256;

  /** The distance of two places, in longs: a cache line. */
  private static final int STRIDE = 8;

  /** How many places are tried before the map. */
  private static final int TRIES = 8;

  /** Spreads ids that follow each other: 2^64 divided by the golden ratio. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private static final int SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(SLOTS);

  /** The content of a free place. */
  private static final long FREE = 0;

  /** The content of the place of a request that waits. */
  private static final long WAITING = 1;

  /** The content of the place of a hold, below the time of {@link #clock} at which it began. */
  private static final long HELD = 3;

  private static final long FLAGS = 3;

  /** The first line and the rest of the last one are empty: others write what lies beside. */
  private final AtomicLongArray slots = new AtomicLongArray((SLOTS + 1) * STRIDE);

  private final Map<Long, Long> others = new ConcurrentHashMap<>();
  private final AtomicLong nextOther = new AtomicLong(SLOTS);

  /** Returns the time in quarters of a nanosecond, which leaves two bits for the flags. */
  private static long clock() {
    return System.nanoTime() << 2;
  }

  private static int index(long slot) {
    return ((int) slot + 1) * STRIDE;
  }

  /** Records a request that waits; returns its place. */
  long begun() {
    int first = (int) ((Thread.currentThread().getId() * SPREAD) >>> SHIFT);
    for (int i = 0; i < TRIES; i++) {
      int slot = (first + i) % SLOTS;
      int index = index(slot);
      if (slots.getPlain(index) == FREE && slots.compareAndSet(index, FREE, WAITING)) {
        return slot;
      }
    }
    long place = nextOther.getAndIncrement();
    others.put(place, WAITING);
    return place;
  }

  /** Records that a request has become a hold. */
  void held(long place) {
    long since = clock() | HELD;
    if (place < SLOTS) {
      slots.setRelease(index(place), since);
    } else {
      others.put(place, since);
    }
  }

  /** Records that a request has ended without a hold, or a hold has ended. */
  void over(long place) {
    if (place < SLOTS) {
      slots.setRelease(index(place), FREE);
    } else {
      others.remove(place);
    }
  }

  /** Returns how many requests wait. */
  long waiting() {
    return taken(each -> each == WAITING).count();
  }

  /** Returns how many holds there are. */
  long held() {
    return holds().count();
  }

  /** Returns for how long the oldest hold has lasted, or 0 if there is none. */
  long oldestNanos() {
    long now = clock();
    return holds().map(since -> (now - (since & ~FLAGS)) >> 2).max().orElse(0);
  }

  private LongStream holds() {
    return taken(each -> (each & FLAGS) == HELD);
  }

  private LongStream taken(LongPredicate wanted) {
    LongStream inSlots = LongStream.range(0, SLOTS).map(slot -> slots.get(index(slot)));
    return LongStream.concat(inSlots, others.values().stream().mapToLong(Long::longValue))
        .filter(wanted);
  }
}
