package io.lockkeeper.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.engine.ManualScheduler;
import io.lockkeeper.engine.ManualTime;
import io.lockkeeper.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The time limits of questions, whatever goes wrong while they are looked at. */
class DeadlinesTest {

  private final ManualTime time = new ManualTime();
  private final ManualScheduler plans = new ManualScheduler(time);
  private boolean isBroken;
  private final Scheduler scheduler =
      new Scheduler() {
        @Override
        public Cancellable schedule(Runnable task, long delayNanos) {
          if (isBroken) {
            throw new NoClassDefFoundError("made up");
          }
          return plans.schedule(task, delayNanos);
        }

        @Override
        public void close() {
          plans.close();
        }
      };

  private final Deadlines deadlines = new Deadlines(1_000, scheduler);

  private void pass(Duration duration) {
    long until = time.nanos() + duration.toNanos();
    while (plans.runNext(until)) {
      // the next one
    }
  }

  @Test
  void whatIsNotAnsweredInTimeEnds() {
    CompletableFuture<String> answer = deadlines.limit(new CompletableFuture<>());
    pass(Duration.ofMillis(900));
    assertThat(answer).isNotDone();

    pass(Duration.ofMillis(300));

    assertThat(answer).isCompletedExceptionally();
    assertThat(plans.pending()).as("looks that are planned").isZero();
  }

  @Test
  void aLookThatCouldNotBePlannedIsPlannedWithTheNextQuestion() {
    isBroken = true;
    CompletableFuture<String> first = new CompletableFuture<>();
    assertThatThrownBy(() -> deadlines.limit(first)).isInstanceOf(NoClassDefFoundError.class);
    isBroken = false;
    CompletableFuture<String> second = deadlines.limit(new CompletableFuture<>());

    pass(Duration.ofSeconds(2));

    assertThat(first).isCompletedExceptionally();
    assertThat(second).isCompletedExceptionally();
  }
}
