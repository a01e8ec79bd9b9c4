package io.lockkeeper.jdbc;

import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.TimeSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers where the queues of resources begin: up to which arrival nobody waits any more.
 *
 * <p>A database keeps deleted rows in its tables and indexes for a while. A queue leaves all of
 * them at the end from which it is read, and a search from the very beginning goes through
 * thousands of them. Arrivals only grow, so what was true once stays true, on the server on which
 * it was seen: one that takes over may know claims as waiting that had left.
 */
final class QueueStarts {

  /** How many resources are remembered. */
  private static final int MOST = 10_000;

  /** The start of a queue of which nothing is known. */
  static final long UNKNOWN = -1;

  /** The start of a queue, for as long as {@code row} is its resource's. */
  record Start(long row, long markGeneration, long arrival, long seenNanos) {

    /** Returns whether it is about this row, as it was read on the same server. */
    boolean isOf(ResourceRow found) {
      return row == found.id
          && markGeneration == found.markGeneration
          && arrival <= found.lastArrival();
    }
  }

  private final TimeSource time;
  private final long longestNanos;
  private final Map<ResourceId, Start> starts = new ConcurrentHashMap<>();

  /**
   * Creates it.
   *
   * @param longestNanos how long it counts what was seen
   */
  QueueStarts(TimeSource time, long longestNanos) {
    this.time = time;
    this.longestNanos = longestNanos;
  }

  /** Returns the latest that is known, or null. */
  @Nullable Start of(ResourceId resource) {
    Start start = starts.get(resource);
    return start == null || time.nanos() - start.seenNanos >= longestNanos ? null : start;
  }

  /** Notes where the queue of a row begins, once that is committed. */
  void saw(ResourceId resource, ResourceRow row) {
    if (row.queueStart == UNKNOWN) {
      return;
    }
    if (starts.size() >= MOST) {
      starts.clear();
    }
    starts.put(resource, new Start(row.id, row.markGeneration, row.queueStart, time.nanos()));
  }
}
