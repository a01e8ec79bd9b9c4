package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timer;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
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

  @Test
  void readsDoNotOvertakeCallsThatWaitForAnAnswerAboutReplicas() {
    List<RedisCommand<?, ?, ?>> sent = new ArrayList<>();
    Timer timer = new HashedWheelTimer();
    try (SingleLink link =
        new SingleLink(
            recording(sent),
            new Replication(1, Duration.ofSeconds(1)),
            "a server",
            timer,
            timer::stop)) {
      Call<String> first = call();
      Call<String> second = call();
      Reads reads =
          new Reads(List.of(new Request().add("TIME")), Long.MAX_VALUE, Failure.Doubt::new);
      link.send(first);
      link.send(second);
      link.send(reads);
      assertThat(sent).hasSize(2).startsWith(first);

      sent.get(1).complete();

      assertThat(sent).hasSize(5).containsSubsequence(second, reads.commands().get(0));
    }
  }

  /** A connection that only writes down what it is to send. */
  @SuppressWarnings("unchecked")
  private static StatefulRedisConnection<byte[], byte[]> recording(
      List<RedisCommand<?, ?, ?>> sent) {
    return (StatefulRedisConnection<byte[], byte[]>)
        Proxy.newProxyInstance(
            ReplicationPipelineTest.class.getClassLoader(),
            new Class<?>[] {StatefulRedisConnection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("dispatch")) {
                if (arguments[0] instanceof RedisCommand<?, ?, ?> command) {
                  sent.add(command);
                } else {
                  sent.addAll((Collection<RedisCommand<?, ?, ?>>) arguments[0]);
                }
              }
              return null;
            });
  }
}
