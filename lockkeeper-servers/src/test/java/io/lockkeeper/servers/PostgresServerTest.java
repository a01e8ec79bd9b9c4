package io.lockkeeper.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.Driver;

class PostgresServerTest {

  static List<PostgresBinary> binaries() {
    return PostgresBinary.available();
  }

  @BeforeAll
  static void needsOne() {
    assumeTrue(!binaries().isEmpty(), "no PostgreSQL on this machine nor on the class path");
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void answersUntilClosed(PostgresBinary binary) throws SQLException {
    PostgresServer server = PostgresServer.builder().binary(binary).start();
    try (server) {
      assertThat(ask(server, "show server_version")).startsWith(binary.version());
      assertThat(ask(server, "show server_encoding")).isEqualTo("UTF8");
    }
    assertThat(ProcessHandle.of(server.pid())).isEmpty();
    assertThatThrownBy(() -> ask(server, "select 1")).isInstanceOf(SQLException.class);
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void keepsWhatWasCommittedOverAKill(PostgresBinary binary) throws SQLException {
    try (PostgresServer server = PostgresServer.builder().binary(binary).start()) {
      execute(server, "create table orders (id int)");
      execute(server, "insert into orders values (17)");
      long pid = server.pid();
      server.kill();
      assertThatThrownBy(() -> ask(server, "select 1")).isInstanceOf(SQLException.class);
      server.restart();
      assertThat(ask(server, "select id from orders")).isEqualTo("17");
      assertThat(server.pid()).isNotEqualTo(pid);
    }
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void freezesAlsoOpenConnectionsAndThaws(PostgresBinary binary) throws Exception {
    try (PostgresServer server = PostgresServer.builder().binary(binary).start();
        Connection connection = connect(server)) {
      connection.setNetworkTimeout(Runnable::run, 60_000);
      server.freeze();
      CompletableFuture<String> answer =
          CompletableFuture.supplyAsync(() -> askUnchecked(connection, "select 1"));
      assertThat(server.isAnswering()).isFalse();
      assertThat(answer).isNotDone();
      server.thaw();
      assertThat(answer.join()).isEqualTo("1");
    }
  }

  @Test
  void startsSeveralAtOnce() {
    List<CompletableFuture<PostgresServer>> starting =
        Stream.generate(() -> CompletableFuture.supplyAsync(PostgresServer::start))
            .limit(2)
            .toList();
    List<PostgresServer> servers = starting.stream().map(CompletableFuture::join).toList();
    assertThat(servers).allMatch(PostgresServer::isAnswering);
    servers.forEach(PostgresServer::close);
  }

  @Test
  void saysWhatTheServerSaidWhenItDoesNotStart() {
    assertThatThrownBy(() -> PostgresServer.builder().option("no_such_option", "1").start())
        .isInstanceOf(ServerStartException.class)
        .hasMessageContaining("no_such_option");
    assertThatThrownBy(() -> PostgresBinary.at(Path.of("/nowhere")))
        .isInstanceOf(ServerStartException.class)
        .hasMessageContaining("/nowhere");
  }

  private static void execute(PostgresServer server, String sql) throws SQLException {
    try (Connection connection = connect(server);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String ask(PostgresServer server, String sql) throws SQLException {
    try (Connection connection = connect(server)) {
      return ask(connection, sql);
    }
  }

  private static String askUnchecked(Connection connection, String sql) {
    try {
      return ask(connection, sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Connection connect(PostgresServer server) throws SQLException {
    return Objects.requireNonNull(new Driver().connect(server.jdbcUrl(), new Properties()));
  }

  private static String ask(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
