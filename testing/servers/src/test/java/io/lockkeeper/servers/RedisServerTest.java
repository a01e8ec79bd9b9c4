package io.lockkeeper.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
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

  @ParameterizedTest
  @MethodSource("binaries")
  void speaksTlsWithACertificateThatItsClientsTrust(RedisBinary binary) {
    try (RedisServer server = RedisServer.builder().binary(binary).tls().password("p").start()) {
      assertThat(server.url()).startsWith("rediss://");
      assertThat(server.command("PING")).isEqualTo("PONG");
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void keepsOrLosesItsDataOverARestart(RedisBinary binary) {
    try (RedisServer server = RedisServer.builder().binary(binary).start()) {
      long firstPid = server.pid();
      server.command("SET", "key", "1");
      server.restart(RedisServer.Data.KEPT);
      assertThat(server.command("GET", "key")).isEqualTo("1");
      server.restart(RedisServer.Data.LOST);
      assertThat(server.command("GET", "key")).isNull();
      assertThat(server.pid()).isNotEqualTo(firstPid);
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void keepsItsDataOverACrashIfAppendOnly(RedisBinary binary) {
    try (RedisServer server = RedisServer.builder().binary(binary).appendOnly().start()) {
      server.command("SET", "key", "1");
      server.kill();
      server.restart(RedisServer.Data.KEPT);
      assertThat(server.command("GET", "key")).isEqualTo("1");
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void freezesAndThaws(RedisBinary binary) throws IOException {
    try (RedisServer server = RedisServer.builder().binary(binary).start()) {
      server.freeze();
      assertThatThrownBy(
              () -> {
                try (RespConnection connection = server.connect(Duration.ofMillis(200))) {
                  connection.call("PING");
                }
              })
          .isInstanceOf(SocketTimeoutException.class);
      server.thaw();
      assertThat(server.command("PING")).isEqualTo("PONG");
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void countsCommands(RedisBinary binary) {
    try (RedisServer server = RedisServer.builder().binary(binary).start()) {
      server.resetStats();
      server.command("SET", "key", "1");
      server.command("SET", "key", "2");
      assertThat(server.commandStats().get("set").calls()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void refusesToGrowBeyondItsMemory(RedisBinary binary) {
    try (RedisServer server =
        RedisServer.builder().binary(binary).maxMemory("1", "noeviction").start()) {
      assertThatThrownBy(() -> server.command("SET", "key", "1")).hasMessageContaining("OOM");
    }
  }

  @Test
  void saysWhatTheServerSaidWhenItDoesNotStart() {
    assertThatThrownBy(() -> RedisServer.builder().option("no-such-option", "1").start())
        .isInstanceOf(ServerStartException.class)
        .hasMessageContaining("no-such-option");
    assertThatThrownBy(() -> RedisBinary.at(Path.of("/nowhere/redis-server")))
        .isInstanceOf(ServerStartException.class)
        .hasMessageContaining("/nowhere/redis-server");
  }
}
