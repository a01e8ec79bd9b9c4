package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A pipeline of calls, whatever goes wrong while they are sent. */
class ReplicationPipelineTest {

  private final AtomicBoolean isBroken = new AtomicBoolean(true);
  private final List<Throwable> heard = new ArrayList<>();
  private final ReplicationPipeline pipeline =
      new ReplicationPipeline(
          () -> {
            if (isBroken.getAndSet(false)) {
              throw new NoClassDefFoundError("made up");
            }
            return null;
          },
          new Replication(1, Duration.ofSeconds(1)));

  private final class Listener implements Call.Listener {

    @Override
    public void replied(Call<?> call) {}

    @Override
    public void broken(Call<?> call, Throwable cause) {
      heard.add(cause);
    }
  }

  private Call<String> call() {
    return new Call<>(
        Script.CLAIM,
        false,
        new byte[] {'k'},
        new Request(),
        null,
        new Call.Reading<String>() {
          @Override
          public String of(Reply reply) {
            return "answered";
          }

          @Override
          public String of(Failure failure) {
            return "failed";
          }
        },
        new CompletableFuture<>(),
        new CompletableFuture<>(),
        Long.MAX_VALUE,
        new Listener());
  }

  @Test
  void anErrorWhileCallsAreSentLeavesTheWayToTheNextOnesOpen() {
    pipeline.send(call());
    pipeline.send(call());

    assertThat(heard).hasSize(2).hasOnlyElementsOfType(RedisException.class);
  }
}
