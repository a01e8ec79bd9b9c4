package io.lockkeeper.redis;

import io.lockkeeper.spi.TimeSource;
import io.netty.util.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The calls under way, oldest first, and their confirmations; and what ends those that get no
 * answer in time.
 *
 * <p>All calls have the same time limit, and a connection answers in order. So the oldest call is
 * the first to be due and mostly the first to be done, and a queue does what a timer per call would
 * do at many times the price: a thread that adds or completes a call takes the done ones off its
 * head, and while it is not empty a timer looks at it now and then.
 */
final class Deadlines {

  /** Something that is to be over by a certain time. */
  interface Pending {

    /** Returns when. Of two that are added, the later one is not due earlier. */
    long deadlineNanos();

    /** Returns whether it is over. */
    boolean isOver();
  }

  private static final int LOOKS_PER_LIMIT = 8;

  private final Queue<Pending> calls = new ConcurrentLinkedQueue<>();
  private final Timer timer;
  private final TimeSource time;
  private final long intervalNanos;
  private final Consumer<List<Pending>> onDue;

  /** Whether a thread is at the head of the queue; the others leave it to that one. */
  private final AtomicBoolean busy = new AtomicBoolean();

  private final AtomicBoolean ticking = new AtomicBoolean();
  private volatile boolean closed;

  /**
   * Creates one that hands the calls that are due to {@code onDue}, together and only once.
   *
   * @param timer the driver's, which has a thread for its own time limits: one more thread of the
   *     client's scheduler would do nothing that this one cannot do
   */
  Deadlines(Timer timer, TimeSource time, long limitNanos, Consumer<List<Pending>> onDue) {
    this.timer = timer;
    this.time = time;
    this.intervalNanos = Math.max(TimeUnit.MILLISECONDS.toNanos(1), limitNanos / LOOKS_PER_LIMIT);
    this.onDue = onDue;
  }

  void add(Pending call) {
    calls.add(call);
    if (!ticking.get()) {
      tickLater();
    }
  }

  /** Forgets the calls at the head that are done. */
  void forgetDone() {
    if (!busy.compareAndSet(false, true)) {
      return;
    }
    try {
      Pending oldest = calls.peek();
      while (oldest != null && oldest.isOver()) {
        calls.poll();
        oldest = calls.peek();
      }
    } finally {
      busy.set(false);
    }
  }

  /** Lets no more calls become due. */
  void close() {
    closed = true;
  }

  /** Returns how many calls it remembers; for tests. */
  int size() {
    return calls.size();
  }

  private void tickLater() {
    if (!closed && ticking.compareAndSet(false, true)) {
      boolean isPlanned = false;
      try {
        timer.newTimeout(timeout -> tick(), intervalNanos, TimeUnit.NANOSECONDS);
        isPlanned = true;
      } finally {
        if (!isPlanned) {
          ticking.set(false); // the next call plans the look
        }
      }
    }
  }

  private void tick() {
    try {
      List<Pending> due = due(time.nanos());
      if (!due.isEmpty()) {
        onDue.accept(due);
      }
      forgetDone();
    } finally {
      ticking.set(false);
      if (!calls.isEmpty()) {
        tickLater();
      }
    }
  }

  private List<Pending> due(long now) {
    List<Pending> due = new ArrayList<>();
    for (Pending call : calls) {
      if (call.deadlineNanos() - now > 0) {
        break;
      }
      if (!call.isOver()) {
        due.add(call);
      }
    }
    return due;
  }
}
