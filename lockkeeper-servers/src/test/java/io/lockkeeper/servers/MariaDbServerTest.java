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
import org.mariadb.jdbc.Driver;

class MariaDbServerTest {

  static List<MariaDbBinary> binaries() {
    return MariaDbBinary.available();
  }

  @BeforeAll
  static void needsOne() {
    assumeTrue(!binaries().isEmpty(), "no MariaDB on this machine nor on the class path");
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void answersUntilClosed(MariaDbBinary binary) throws SQLException {
    MariaDbServer server = MariaDbServer.builder().binary(binary).start();
    try (server) {
      assertThat(ask(server, "select version()")).startsWith(binary.version());
      assertThat(ask(server, "select @@character_set_server")).isEqualTo("utf8mb4");
    }
    assertThat(ProcessHandle.of(server.pid())).isEmpty();
    assertThatThrownBy(() -> ask(server, "select 1")).isInstanceOf(SQLException.class);
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void keepsWhatWasCommittedOverAKill(MariaDbBinary binary) throws SQLException {
    try (MariaDbServer server = MariaDbServer.builder().binary(binary).start()) {
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
  void freezesAlsoOpenConnectionsAndThaws(MariaDbBinary binary) throws Exception {
    try (MariaDbServer server = MariaDbServer.builder().binary(binary).start();
        Connection connection = connect(server)) {
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
    List<CompletableFuture<MariaDbServer>> starting =
        Stream.generate(() -> CompletableFuture.supplyAsync(MariaDbServer::start))
            .limit(2)
            .toList();
    List<MariaDbServer> servers = starting.stream().map(CompletableFuture::join).toList();
    assertThat(servers).allMatch(MariaDbServer::isAnswering);
    servers.forEach(MariaDbServer::close);
  }

  @Test
  void saysWhatTheServerSaidWhenItDoesNotStart() {
    assertThatThrownBy(() -> MariaDbServer.builder().option("no_such_option", "1").start())
        .isInstanceOf(ServerStartException.class)
        .hasMessageContaining("no-such-option");
    assertThatThrownBy(() -> MariaDbBinary.at(Path.of("/nowhere"), Path.of("/usr")))
        .isInstanceOf(ServerStartException.class)
        .hasMessageContaining("/nowhere");
  }

  private static void execute(MariaDbServer server, String sql) throws SQLException {
    try (Connection connection = connect(server);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String ask(MariaDbServer server, String sql) throws SQLException {
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

  private static Connection connect(MariaDbServer server) throws SQLException {
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
