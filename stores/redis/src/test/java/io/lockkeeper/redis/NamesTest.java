package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NamesTest {

  private static final List<String> NAMES =
      List.of(
          "a}b",
          "}x",
          "{",
          "{}",
          "{a}{b}",
          "%7B",
          "a|b",
          "|",
          " a  b ",
          "🔑",
          "e\u0301",
          "ключ",
          "*",
          "[a]?",
          "\\",
          "\"'",
          "x".repeat(512),
          "{".repeat(512),
          "é".repeat(256));

  static List<RedisBinary> binaries() {
    return Binaries.all();
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void everyNameIsPassedOnAndItsNotificationsCarryIt(RedisBinary binary) {
    RedisServer server = SharedServers.running(binary);
    for (String namespace : List.of("plain", "a}b|c {🔑}")) {
      try (StoreProbe holder = Probes.open(server.url() + "?afterLoss=grant", namespace);
          StoreProbe waiter = Probes.open(server.url() + "?afterLoss=grant", namespace)) {
        long claim = 0;
        for (String name : NAMES) {
          Grant grant = holder.claimed(ResourceId.lock(name), ++claim);
          waiter.queued(ResourceId.lock(name), claim);

          holder.release(ResourceId.lock(name), grant);

          assertThat(waiter.notification())
              .isEqualTo("granted lock '" + name + "' [" + claim + "]");
          StoreProbe.force(waiter.store, ResourceId.lock(name));
          assertThat(waiter.notification()).isEqualTo("revoked lock '" + name + "'");
        }
      }
    }
  }
}
