package io.lockkeeper.etcd;

import io.lockkeeper.spi.TimeSource;
import java.time.Duration;

/**
 * Tells whether a revision was read a short while ago, by a few revisions whose time is known.
 *
 * <p>A revision that is not smaller than one that the store had at some time was read after that
 * time, or nothing was written in between.
 */
final class RecentRevisions {

  /**
   * A revision that the store had.
   *
   * @param nanos a time before that
   */
  private record Seen(long revision, long nanos) {}

  private record Both(Seen earlier, Seen later) {}

  private final TimeSource time;
  private final long mostNanos;

  /** Of threads that record at once the last one counts: what each of them writes is true. */
  private volatile Both seen;

  /**
   * Creates it.
   *
   * @param most how old a revision may be
   */
  RecentRevisions(TimeSource time, Duration most) {
    this.time = time;
    this.mostNanos = most.toNanos();
    Seen none = new Seen(Long.MAX_VALUE, time.nanos() - mostNanos);
    this.seen = new Both(none, none);
  }

  /** Records the revision in an answer to a request that was sent at {@code sentNanos}. */
  void seen(long revision, long sentNanos) {
    Both now = seen;
    if (sentNanos - now.later().nanos() >= mostNanos / 2) {
      seen = new Both(now.later(), new Seen(revision, sentNanos));
    }
  }

  /** Returns true only if a revision that was read is not too old. */
  boolean contains(long revision) {
    Both now = seen;
    return isAfter(now.earlier(), revision) || isAfter(now.later(), revision);
  }

  private boolean isAfter(Seen known, long revision) {
    return revision >= known.revision() && time.nanos() - known.nanos() < mostNanos;
  }
}
