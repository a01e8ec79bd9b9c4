package io.lockkeeper.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.memory.MemoryServer;
import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.testkit.tck.Rounds;
import io.lockkeeper.testkit.tck.store.SameAnswers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** This store answers random operations as the memory store does. */
@Tag("full")
class SameAsMemoryTest {

  private static final int SCHEDULES = Rounds.of(10);
  private static final String NAMESPACE = "test";

  static List<RedisBinary> binaries() {
    return Binaries.allAndValkey();
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void answersAsTheMemoryStoreDoes(RedisBinary binary) {
    try (RedisServer server = RedisServer.builder().binary(binary).start()) {
      SameAnswers.compare(
          new RedisStoreProvider().factory(server.url()),
          new MemoryServer(System::nanoTime).factory(),
          NAMESPACE,
          SCHEDULES);
      checkThatOnlyTombstonesAreLeft(server);
    }
  }

  private static void checkThatOnlyTombstonesAreLeft(RedisServer server) {
    List<Object> keys =
        new ArrayList<>((List<?>) Objects.requireNonNull(server.command("KEYS", "*")));
    keys.removeIf(key -> ((String) key).matches(".*:(mark|names)"));
    keys.removeIf(key -> ((String) key).startsWith("test:i:")); // the names of clients
    keys.removeIf(key -> ((String) key).endsWith(":x")); // who left barriers, changes of limits
    assertThat(keys).allSatisfy(key -> assertThat((String) key).matches(".*}(:(rw|sem|bar))?"));
    for (Object key : keys) {
      assertThat(new HashSet<>((List<?>) server.command("HKEYS", (String) key)))
          .isIn(Set.of("v", "t"), Set.of("v")); // without a token if nobody was ever admitted
      assertThat((Long) server.command("PTTL", (String) key)).isPositive();
    }
  }
}
