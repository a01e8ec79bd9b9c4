package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.TimeSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A clock that can hold up the thread on which a client hears its server: after an answer has come,
 * and before it is acted on.
 */
final class Pause implements TimeSource {

  private final CountDownLatch hasBegun = new CountDownLatch(1);
  private final CountDownLatch isOver = new CountDownLatch(1);
  private volatile boolean isWanted;

  @Override
  public long nanos() {
    if (isWanted && Thread.currentThread().getName().contains("EventThread")) {
      hasBegun.countDown();
      await(isOver);
    }
    return System.nanoTime();
  }

  void begin() {
    isWanted = true;
  }

  void awaitBegun() {
    await(hasBegun);
  }

  void end() {
    isOver.countDown();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
