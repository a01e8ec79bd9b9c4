package io.lockkeeper.jdbc;

import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Scheduler;
import io.lockkeeper.spi.TimeSource;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The calls under way, oldest first, and what ends those that take too long: a thread may be stuck
 * in a driver whose server is gone, and the engine must hear of its calls all the same.
 *
 * <p>All calls have the same time limit, so the oldest is the first to be due. While there are any,
 * a scheduler of its own looks now and then.
 */
final class Deadlines {

  private static final int LOOKS_PER_LIMIT = 8;

  private final Queue<Call<?>> calls = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean ticking = new AtomicBoolean();
  private final long limitNanos;
  private final Supplier<Failure> late;
  private final TimeSource time;
  private final Scheduler scheduler;

  /**
   * Creates it.
   *
   * @param late says why there is no answer when the time is up
   */
  Deadlines(long limitNanos, Supplier<Failure> late, Environment environment) {
    this.limitNanos = limitNanos;
    this.late = late;
    this.time = environment.time();
    this.scheduler = environment.schedulers().get();
  }

  void add(Call<?> call) {
    calls.add(call);
    tickLater();
  }

  /** Looks later, unless it is closed: then the queue is closed too, and ends what comes now. */
  private void tickLater() {
    if (ticking.compareAndSet(false, true)) {
      scheduler.schedule(this::tick, limitNanos / LOOKS_PER_LIMIT + 1);
    }
  }

  private void tick() {
    long now = time.nanos();
    Call<?> oldest = calls.peek();
    while (oldest != null && (oldest.outcome.isDone() || oldest.deadlineNanos - now <= 0)) {
      if (!oldest.outcome.isDone()) {
        oldest.fail(late.get());
      }
      calls.poll();
      oldest = calls.peek();
    }
    ticking.set(false);
    if (!calls.isEmpty()) {
      tickLater();
    }
  }

  void close() {
    scheduler.close();
  }
}
