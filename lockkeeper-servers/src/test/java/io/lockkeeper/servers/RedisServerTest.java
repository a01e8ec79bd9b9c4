package io.lockkeeper.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RedisServerTest {

  static List<RedisBinary> binaries() {
    return RedisBinary.available();
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void answersCommandsUntilClosed(RedisBinary binary) {
    RedisServer server = RedisServer.builder().binary(binary).start();
    try (server) {
      assertThat(server.command("SET", "key", "välue")).isEqualTo("OK");
      assertThat(server.command("GET", "key")).isEqualTo("välue");
      assertThat(server.command("GET", "nothing")).isNull();
      assertThat(server.command("EXISTS", "key")).isEqualTo(1L);
      assertThat(server.command("MGET", "key", "nothing")).isEqualTo(Arrays.asList("välue", null));
      assertThatThrownBy(() -> server.command("NONSENSE")).isInstanceOf(RedisErrorException.class);
    }
    assertThat(ProcessHandle.of(server.pid())).isEmpty();
    assertThatThrownBy(() -> server.command("PING")).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void requiresThePasswordThatItsUrlHas(RedisBinary binary) {
    try (RedisServer server = RedisServer.builder().binary(binary).password("a b\"c").start()) {
      assertThat(server.url()).contains("a%20b%22c@");
      assertThat(server.command("PING")).isEqualTo("PONG");
    }
  }
}
