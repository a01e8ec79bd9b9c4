package io.lockkeeper.zookeeper;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How long a session is sure to last, by the requests that servers have answered in it.
 *
 * <p>The leader ends sessions, but the server that is connected hears the client. It reports its
 * sessions to the leader twice in a tick, and may be cut off before it does. So the leader counts
 * from a request that was answered a while ago, or from a later one. A client that was suspended
 * has no such request, and its session may end at any moment.
 */
final class SignsOfLife {

  /** More than the latest two are of use only after slow answers. */
  private static final int MOST = 8;

  /** In this part of a session timeout, or in this time, a request is reported to the leader. */
  private static final int REPORT_PART = 20;

  private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private record Sign(long sentNanos, long answeredNanos) {}

  private final ReentrantLock mutex = new ReentrantLock();

  /** Guarded by the mutex. */
  private final Deque<Sign> latest = new ArrayDeque<>();

  private final long beganNanos;

  /**
   * Creates it.
   *
   * @param beganNanos when the session had not begun yet
   */
  SignsOfLife(long beganNanos) {
    this.beganNanos = beganNanos;
  }

  /** Notes a request that a server has answered in this session. */
  void add(long sentNanos, long answeredNanos) {
    mutex.lock();
    try {
      latest.addLast(new Sign(sentNanos, answeredNanos));
      if (latest.size() > MOST) {
        latest.removeFirst();
      }
    } finally {
      mutex.unlock();
    }
  }

  /** Returns for how long the leader keeps the session at least. */
  long sureNanos(long nowNanos, long timeoutNanos) {
    return Math.max(0, timeoutNanos - silenceNanos(nowNanos, timeoutNanos));
  }

  private long silenceNanos(long nowNanos, long timeoutNanos) {
    long reportNanos = Math.max(timeoutNanos / REPORT_PART, REPORT_NANOS);
    long least = nowNanos - beganNanos;
    mutex.lock();
    try {
      for (Sign sign : latest) {
        if (nowNanos - sign.answeredNanos() >= reportNanos) {
          least = Math.min(least, nowNanos - sign.sentNanos());
        }
      }
    } finally {
      mutex.unlock();
    }
    return least;
  }
}
