package io.lockkeeper.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.Iterator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Two servers of the same kind that are to use the same port. */
@Tag("full")
class TakenPortTest {

  static Stream<Arguments> kinds() {
    return Stream.of(
            RedisBinary.available().stream()
                .map(binary -> kind(binary, port -> redis(RedisServer.builder(), binary, port))),
            RedisBinary.available().stream()
                .map(
                    binary ->
                        kind(
                            binary + " as a Sentinel",
                            port -> redis(RedisServer.builder().sentinel(), binary, port))),
            sql(PostgresServer.binaries(), PostgresServer.builder()),
            sql(MariaDbServer.binaries(), MariaDbServer.builder()),
            sql(MySqlServer.binaries(), MySqlServer.builder()),
            EtcdBinary.onPath().stream()
                .map(binary -> kind(binary, port -> EtcdServer.builder().make(site(port)))),
            Stream.of(
                kind(
                    "ZooKeeper",
                    port -> new ZooKeeperServer(ZooKeeperServer.builder(), site(port), "", 0))),
            Stream.of(kind("nginx", port -> NginxServer.make(List.of(1), port)))
                .filter(kind -> NginxServer.isInstalled()),
            Stream.of(0)
                .filter(one -> PgBouncerServer.isInstalled())
                .map(
                    one ->
                        kind(
                            "PgBouncer",
                            port ->
                                PgBouncerServer.make(1, PgBouncerServer.Mode.SESSION, 1, port))))
        .flatMap(each -> each);
  }

  private static Arguments kind(Object name, IntFunction<ChildServer> maker) {
    return argumentSet(name.toString(), maker);
  }

  private static RedisServer redis(RedisServerBuilder settings, RedisBinary binary, int port) {
    return new RedisServer(settings, binary, port);
  }

  private static Stream<Arguments> sql(
      SqlBinaries binaries, SqlServerBuilder<? extends SqlServer> builder) {
    return binaries.available().stream()
        .map(binary -> kind(binary, port -> initialized(builder.binary(binary).make(port))));
  }

  private static SqlServer initialized(SqlServer server) {
    server.initialize();
    return server;
  }

  private static ServerSite site(int port) {
    return new ServerSite(ChildServer.HOST, port, null, 0);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theOneThatComesTooLateDoesNotTakeTheOtherForItself(IntFunction<ChildServer> maker) {
    int port = Ports.free();
    try (ChildServer first = maker.apply(port);
        ChildServer second = maker.apply(port)) {
      first.begin();
      second.launch();
      assertThat(first.isAnswering()).isTrue();
      assertThat(second.isItself()).isFalse();
      assertThatThrownBy(second::awaitReady)
          .isInstanceOf(ServerStartException.class)
          .hasMessageContaining("ended while it started");
      assertThat(second.wasPortTaken()).isTrue();
      assertThat(second.isItself()).isFalse();
      assertThat(first.isAnswering()).isTrue();
    }
  }

  @Test
  void theOneThatComesTooLateTakesAnotherPort() {
    RedisBinary binary = RedisBinary.preferred();
    try (ChildServer first = RedisServer.start()) {
      Iterator<Integer> ports = List.of(first.port(), Ports.free()).iterator();
      try (ChildServer second =
          Ports.start(() -> redis(RedisServer.builder(), binary, ports.next()))) {
        assertThat(second.port()).isNotEqualTo(first.port());
        assertThat(second.isItself()).isTrue();
        assertThat(ports).isExhausted();
      }
    }
  }
}
