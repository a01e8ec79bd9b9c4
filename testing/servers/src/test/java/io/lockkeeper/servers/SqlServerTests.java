package io.lockkeeper.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What can be done with a database server, whichever it is. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SqlServerTests {

  private static final boolean MUST_BE_THERE = "true".equals(System.getenv("CI"));

  private final SqlBinaries binaries;

  SqlServerTests(SqlBinaries binaries) {
    this.binaries = binaries;
  }

  abstract SqlServerBuilder<? extends SqlServer> builder();

  /** Returns the SQL that asks for the version, and the one for how characters are written. */
  abstract List<String> questions();

  List<SqlBinary> binaries() {
    return binaries.available();
  }

  @BeforeAll
  void needsOne() {
    assumeTrue(MUST_BE_THERE || !binaries().isEmpty(), binaries.whyNone());
    assertThat(binaries()).as(binaries.whyNone()).isNotEmpty();
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void answersUntilClosed(SqlBinary binary) throws SQLException {
    SqlServer server = builder().binary(binary).start();
    try (server) {
      assertThat(ask(server, questions().get(0))).startsWith(binary.version());
      assertThat(ask(server, questions().get(1))).isIn("UTF8", "utf8mb4");
      Locale before = Locale.getDefault();
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      try {
        assertThat(server.jdbcUrl()).contains(":" + server.port() + "/");
      } finally {
        Locale.setDefault(before);
      }
    }
    assertThat(ProcessHandle.of(server.pid())).isEmpty();
    assertThatThrownBy(() -> ask(server, "select 1")).isInstanceOf(SQLException.class);
  }

  @ParameterizedTest
  @MethodSource("binaries")
  void keepsWhatWasCommittedOverAKill(SqlBinary binary) throws SQLException {
    try (SqlServer server = builder().binary(binary).start()) {
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
  void freezesAlsoOpenConnectionsAndThaws(SqlBinary binary) throws Exception {
    try (SqlServer server = builder().binary(binary).start();
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
    List<CompletableFuture<SqlServer>> starting =
        Stream.generate(() -> CompletableFuture.<SqlServer>supplyAsync(() -> builder().start()))
            .limit(2)
            .toList();
    List<SqlServer> servers = starting.stream().map(CompletableFuture::join).toList();
    assertThat(servers).allMatch(SqlServer::isAnswering);
    servers.forEach(SqlServer::close);
  }

  @Test
  void saysWhatTheServerSaidWhenItDoesNotStart() {
    assertThatThrownBy(() -> builder().option("no_such_option", "1").start())
        .isInstanceOf(ServerStartException.class)
        .hasMessageMatching("(?s).*no.such.option.*");
    assertThatThrownBy(() -> binaries.at(Path.of("/nowhere")))
        .isInstanceOf(ServerStartException.class)
        .hasMessageContaining("/nowhere");
  }

  private static void execute(SqlServer server, String sql) throws SQLException {
    try (Connection connection = connect(server);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String ask(SqlServer server, String sql) throws SQLException {
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

  private static Connection connect(SqlServer server) throws SQLException {
    return DriverManager.getConnection(server.jdbcUrl());
  }

  private static String ask(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
