package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ForeignRecordTest {

  private static final String KEY = "foreign:{r}";

  static Stream<Arguments> records() {
    return Binaries.all().stream()
        .flatMap(
            binary ->
                Stream.of(
                    Arguments.of(binary, List.of("SET", KEY, "a string")),
                    Arguments.of(binary, List.of("RPUSH", KEY, "a", "list")),
                    Arguments.of(binary, List.of("HSET", KEY, "another", "hash")),
                    Arguments.of(binary, List.of("HSET", KEY, "v", "2", "o", "somebody"))));
  }

  @ParameterizedTest
  @MethodSource("records")
  void whatOthersWroteIsRefusedAndNotTouched(RedisBinary binary, List<String> write) {
    RedisServer server = SharedServers.running(binary);
    server.command("DEL", KEY);
    server.command(write.toArray(String[]::new));
    Object before = server.command("DUMP", KEY);
    try (StoreProbe client = Probes.open(server.url() + "?afterLoss=grant", "foreign")) {
      Grant other = client.claimed(ResourceId.lock("other"), 1);

      assertRefused(client.claim(ResourceId.lock("r"), 2));
      assertRefused(
          StoreProbe.get(
              client.store.release(new ReleaseRequest(ResourceId.lock("r"), 2, 1, null))));
      assertRefused(StoreProbe.get(client.store.withdraw(ResourceId.lock("r"), 2)));
      assertRefused(StoreProbe.get(client.store.inspect(ResourceId.lock("r"))));
      assertRefused(StoreProbe.force(client.store, ResourceId.lock("r")));
      var renewed =
          StoreProbe.get(
              client.store.renew(
                  List.of(
                      new RenewRequest(ResourceId.lock("r"), 2, 1_000),
                      new RenewRequest(ResourceId.lock("other"), other.grant(), 1_000))));
      assertRefused(renewed.get(0));
      assertThat(StoreProbe.answer(renewed.get(1)).renewed()).isTrue();
      var polled =
          StoreProbe.get(
              client.store.poll(
                  List.of(
                      new PollRequest(ResourceId.lock("other"), 1),
                      new PollRequest(ResourceId.lock("r"), 2))));
      assertThat(StoreProbe.answer(polled.get(0)).toString()).startsWith("Granted");
      assertRefused(polled.get(1));

      assertThat(server.command("DUMP", KEY)).isEqualTo(before);
      assertThat(server.command("PTTL", KEY)).isEqualTo(-1L);
      client.release(ResourceId.lock("other"), other);
    }
  }

  private static void assertRefused(Outcome<?> outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    Outcome.Refused<?> refused = (Outcome.Refused<?>) outcome;
    assertThat(refused.problem()).isEqualTo(StoreProblem.FOREIGN_RECORD);
    assertThat(refused.message()).contains(KEY);
  }
}
