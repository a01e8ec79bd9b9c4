package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.ResourceId;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The line of those who want to do something with a resource, whatever they throw. */
class StepQueuesTest {

  private static final ResourceId NAME = ResourceId.lock("n");

  private final StepQueues queues = new StepQueues();

  private static CompletableFuture<String> fail() {
    throw new NoClassDefFoundError("made up");
  }

  @Test
  void anErrorOfAStepEndsItAndLetsTheNextOneBegin() {
    CompletableFuture<String> before = new CompletableFuture<>();
    CompletableFuture<String> first = queues.inTurn(NAME, () -> before);
    CompletableFuture<String> second = queues.inTurn(NAME, StepQueuesTest::fail);
    CompletableFuture<String> third =
        queues.inTurn(NAME, () -> CompletableFuture.completedFuture("done"));
    before.complete("done");

    assertThat(first).isCompletedWithValue("done");
    assertThat(second).isCompletedExceptionally();
    assertThat(third).isCompletedWithValue("done");
  }
}
