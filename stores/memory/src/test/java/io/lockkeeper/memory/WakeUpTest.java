package io.lockkeeper.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Scheduler;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A thread that was woken while it was still on its way to its wait is not lost. */
@SuppressWarnings("LockNotBeforeTry") // where a test locks is what it is about
class WakeUpTest {

  /** Tells the planning of the search for deadlocks from everything else that is planned. */
  private static final Duration DEADLOCK_CHECK = Duration.ofSeconds(77);

  private final CountDownLatch aboutToWait = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  @Test
  void aWakeUpThatIsUsedUpOnTheWayToTheWaitIsNotMissed() throws Exception {
    Environment environment = new Environment(System::nanoTime, SlowScheduler::new, new Random());
    try (Lockkeeper keeper =
        Lockkeeper.builder()
            .environment(environment)
            .deadlockCheck(DEADLOCK_CHECK)
            .connect("memory:wake-up")) {
      DistributedLock lock = keeper.lock("n");
      lock.lock();
      Thread waiter =
          new Thread(
              () -> {
                lock.lock();
                lock.unlock();
              });
      waiter.start();

      assertThat(aboutToWait.await(60, TimeUnit.SECONDS)).isTrue();
      lock.unlock();
      released.countDown();

      waiter.join(60_000);
      assertThat(waiter.isAlive()).isFalse();
    }
  }

  /**
   * A scheduler that has a thread which plans the search for deadlocks, on the way to its wait,
   * wait for something else first, as a contended mutex may. That uses up what wakes it.
   */
  private final class SlowScheduler implements Scheduler {

    private final ScheduledExecutorService threads = new ScheduledThreadPoolExecutor(1);

    @Override
    public Cancellable schedule(Runnable task, long delayNanos) {
      if (delayNanos == DEADLOCK_CHECK.toNanos() && aboutToWait.getCount() > 0) {
        aboutToWait.countDown();
        awaitRelease();
      }
      ScheduledFuture<?> timer = threads.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
      return () -> timer.cancel(false);
    }

    private void awaitRelease() {
      try {
        assertThat(released.await(60, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      threads.shutdownNow();
    }
  }
}
