package io.lockkeeper.testkit.tck;

import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Scheduler;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the timers that are set and have neither run nor been called off. */
final class CountingScheduler {

  private final AtomicInteger pending = new AtomicInteger();

  int pending() {
    return pending.get();
  }

  /** Returns an environment of the machine's own time whose timers are counted. */
  Environment environment() {
    return new Environment(System::nanoTime, this::open, new Random());
  }

  private Scheduler open() {
    Scheduler scheduler = Threads.scheduler();
    return new Scheduler() {
      @Override
      public Cancellable schedule(Runnable task, long delayNanos) {
        AtomicBoolean over = new AtomicBoolean();
        pending.incrementAndGet();
        Cancellable timer =
            scheduler.schedule(
                () -> {
                  end(over);
                  task.run();
                },
                delayNanos);
        return () -> {
          end(over);
          timer.cancel();
        };
      }

      @Override
      public void close() {
        scheduler.close();
      }
    };
  }

  private void end(AtomicBoolean over) {
    if (over.compareAndSet(false, true)) {
      pending.decrementAndGet();
    }
  }
}
