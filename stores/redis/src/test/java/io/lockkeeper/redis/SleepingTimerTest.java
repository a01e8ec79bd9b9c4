package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.lockkeeper.testkit.tck.Delays;
import io.netty.util.Timeout;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SleepingTimerTest {

  private final SleepingTimer timer = new SleepingTimer("timer-of-a-test");

  @AfterEach
  void stop() {
    timer.stop();
  }

  @Test
  void aTaskRunsWhenItIsDueAlsoBehindOneThatFails() throws InterruptedException {
    CountDownLatch hasRun = new CountDownLatch(1);
    timer.newTimeout(
        expired -> {
          throw new AssertionError("on purpose");
        },
        0,
        TimeUnit.MILLISECONDS);
    Timeout timeout = timer.newTimeout(expired -> hasRun.countDown(), 5, TimeUnit.MILLISECONDS);

    assertThat(hasRun.await(Delays.patience().toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    assertThat(timeout.isExpired()).isTrue();
    assertThat(timeout.cancel()).isFalse();
    assertThat(timeout.isCancelled()).isFalse();
  }

  @Test
  void aCancelledTaskDoesNotRun() throws InterruptedException {
    CountDownLatch later = new CountDownLatch(1);
    Timeout cancelled = timer.newTimeout(expired -> later.countDown(), 1, TimeUnit.HOURS);

    assertThat(cancelled.cancel()).isTrue();
    assertThat(cancelled.cancel()).isFalse();
    assertThat(cancelled.isCancelled()).isTrue();
    assertThat(cancelled.isExpired()).isFalse();
    assertThat(later.getCount()).isEqualTo(1);
  }

  @Test
  void afterTheEndNothingIsTakenAndWhatWaitedIsReturned() {
    Timeout waiting = timer.newTimeout(expired -> {}, 1, TimeUnit.HOURS);

    assertThat(timer.stop()).containsExactly(waiting);
    assertThatIllegalStateException()
        .isThrownBy(() -> timer.newTimeout(expired -> {}, 1, TimeUnit.HOURS));
  }
}
