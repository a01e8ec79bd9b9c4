package io.lockkeeper.jdbc;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The waiting claims of a client that polls for its notifications, and when to poll for each.
 *
 * <p>The claims before a claim are its distance. How fast the distance shrinks tells when its turn
 * comes: the next poll is after half of that time, so a wait costs few polls, and the last ones are
 * close together. Where the distance tells nothing, because it has not shrunk yet or because claims
 * on that resource are not granted in turn, the time to the next poll is a small part of the time
 * waited so far.
 *
 * <p>Thread-safe.
 */
final class Turns {

  /** How many claims before a claim are counted at most. */
  static final int FARTHEST = 40;

  static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Which part of a wait passes between two polls. */
  private static final long PART = 16;

  /** How many claims, and how many paces of resources, are remembered. */
  private static final int MOST = 1_000;

  private static final long UNKNOWN = -1;

  private final ReentrantLock mutex = new ReentrantLock();

  /** Guarded by the mutex, as all that is below. */
  private final Map<Key, Turn> turns = new HashMap<>();

  /** How long it lately took until the next claim was granted, by resource. */
  private final Map<Long, Long> paces =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
          return size() > MOST;
        }
      };

  /** A waiting claim: the row of its resource, and its place in the order of arrival. */
  record Key(long resource, long arrival) {}

  /** A claim to ask about, and an arrival before which no claim waits. */
  record Poll(Key claim, long from) {}

  private static final class Turn {

    final Key key;
    final boolean isInOrder;
    final long sinceNanos;

    /** How many claims are before it, as far as is known. */
    int distance;

    /** When that became known. */
    long distanceNanos;

    /** Before this arrival no claim waits: rows that are deleted need not be passed over again. */
    long from;

    /** When the database was asked for its distance last. */
    long askedNanos;

    long dueNanos;

    Turn(Key key, int distance, boolean isInOrder, long nowNanos) {
      this.key = key;
      this.distance = distance;
      this.isInOrder = isInOrder;
      this.sinceNanos = nowNanos;
      this.distanceNanos = nowNanos;
      this.askedNanos = nowNanos;
    }
  }

  /**
   * Adds a claim that has begun to wait.
   *
   * @param distance how many claims are before it
   * @param isInOrder whether claims on its resource are granted in turn
   */
  void begin(Key key, int distance, boolean isInOrder, long nowNanos) {
    mutex.lock();
    try {
      if (turns.size() < MOST) {
        Turn turn = new Turn(key, Math.min(distance, FARTHEST), isInOrder, nowNanos);
        plan(turn, nowNanos);
        turns.put(key, turn);
      }
    } finally {
      mutex.unlock();
    }
  }

  /** Returns the time of the next poll, or {@link Long#MAX_VALUE} from now if nothing waits. */
  long nanosToNext(long nowNanos) {
    mutex.lock();
    try {
      return turns.values().stream()
          .mapToLong(turn -> turn.dueNanos - nowNanos)
          .min()
          .orElse(Long.MAX_VALUE);
    } finally {
      mutex.unlock();
    }
  }

  /**
   * Returns a claim to ask about with a poll: of those that are due, or nearly, the one whose
   * distance was read the longest time ago. The poll counts for all of them.
   */
  @Nullable Poll poll(long nowNanos) {
    mutex.lock();
    try {
      Turn oldest =
          turns.values().stream()
              .filter(turn -> isDue(turn, nowNanos))
              .min(Comparator.comparingLong(turn -> turn.askedNanos - nowNanos))
              .orElse(null);
      turns.values().stream()
          .filter(turn -> isDue(turn, nowNanos))
          .forEach(turn -> plan(turn, nowNanos));
      if (oldest == null) {
        return null;
      }
      oldest.askedNanos = nowNanos;
      return new Poll(oldest.key, oldest.from);
    } finally {
      mutex.unlock();
    }
  }

  private static boolean isDue(Turn turn, long nowNanos) {
    return turn.dueNanos - nowNanos <= interval(turn, nowNanos, UNKNOWN) / 4;
  }

  /**
   * Notes that a claim still waits.
   *
   * @param distance how many claims are before it, of up to {@link #FARTHEST}
   * @param first the arrival of the first of these
   */
  void waits(Key key, int distance, long first, long nowNanos) {
    mutex.lock();
    try {
      Turn turn = turns.get(key);
      if (turn == null) {
        return;
      }
      if (distance < turn.distance) {
        learn(turn, turn.distance - distance, nowNanos);
        turn.distance = distance;
        turn.distanceNanos = nowNanos;
      }
      if (distance < FARTHEST) {
        turn.from = first;
      }
      plan(turn, nowNanos);
    } finally {
      mutex.unlock();
    }
  }

  /** Removes a claim that does not wait any more. */
  void over(Key key, long nowNanos) {
    mutex.lock();
    try {
      Turn turn = turns.remove(key);
      if (turn != null) {
        learn(turn, turn.distance + 1, nowNanos);
      }
    } finally {
      mutex.unlock();
    }
  }

  private void learn(Turn turn, int granted, long nowNanos) {
    if (turn.isInOrder && turn.distance < FARTHEST) {
      paces.put(turn.key.resource(), (nowNanos - turn.distanceNanos) / granted);
    }
  }

  private void plan(Turn turn, long nowNanos) {
    long pace = turn.isInOrder ? paces.getOrDefault(turn.key.resource(), UNKNOWN) : UNKNOWN;
    turn.dueNanos = nowNanos + interval(turn, nowNanos, pace);
  }

  private static long interval(Turn turn, long nowNanos, long pace) {
    long passedNanos = nowNanos - turn.distanceNanos;
    long interval = (turn.distance == 0 ? passedNanos : nowNanos - turn.sinceNanos) / PART;
    if (pace != UNKNOWN) {
      long leftNanos = Math.multiplyExact(turn.distance + 1L, pace) - passedNanos;
      interval = Math.max(interval, leftNanos / 2);
    }
    return Math.max(SHORTEST_NANOS, Math.min(LONGEST_NANOS, interval));
  }
}
