package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.spi.TimeSource;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

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
      hold(isOver);
    }
    return System.nanoTime();
  }

  void begin() {
    isWanted = true;
  }

  /**
   * Begins, and asks until the thread is held up. An answer that comes while the asking thread
   * still says what is to follow it is acted on by that thread, which is not held up.
   */
  void begin(Supplier<CompletionStage<?>> question) {
    begin();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (hasBegun.getCount() > 0) {
      assertThat(System.nanoTime() - deadline).isNegative();
      CompletionStage<?> asked = question.get();
      await().until(() -> asked.toCompletableFuture().isDone() || hasBegun.getCount() == 0);
    }
  }

  void awaitBegun() {
    hold(hasBegun);
  }

  void end() {
    isOver.countDown();
  }

  private static void hold(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
