package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.testkit.tck.Everything;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rights of {@code docs/stores-sql.md}, word for word: they suffice, and each is needed. */
class SqlRightsTest {

  private static final String EXPECT = "&lockkeeper.tables=expect";

  private static List<String> documented(Dialect dialect) throws IOException {
    return Files.readAllLines(Path.of("../../docs/stores-sql.md")).stream()
        .filter(line -> line.startsWith("grant "))
        .filter(line -> !line.contains("not on PostgreSQL") || dialect instanceof MySqlDialect)
        .map(line -> line.substring(0, line.indexOf(';')))
        .toList();
  }

  @Test
  void theDocumentedRightsSufficeOnPostgres() throws Exception {
    String owner = Databases.postgres().jdbcUrl();
    check(
        new PostgreSqlDialect(),
        owner,
        owner.replace("user=postgres", "user=app"),
        "create role app login");
  }

  @Test
  void theDocumentedRightsSufficeOnMariaDb() throws Exception {
    String owner = Databases.mariaDb().jdbcUrl();
    check(
        new MySqlDialect(), owner, owner.replaceFirst("user=\\w+", "user=app"), "create user app");
  }

  @Test
  void theDocumentedRightsSufficeOnMySql() throws Exception {
    String owner = Databases.mySqlUrl();
    check(
        new MySqlDialect(), owner, owner.replaceFirst("user=\\w+", "user=app"), "create user app");
  }

  private static void check(Dialect dialect, String owner, String app, String account)
      throws Exception {
    List<String> rights = documented(dialect);
    Lockkeeper.connect(owner).close(); // the tables are there now
    try (Connection connection = DriverManager.getConnection(owner);
        Statement statement = connection.createStatement()) {
      statement.execute(account);
      try {
        for (String right : rights) {
          statement.execute(right);
        }
        useEverything(app);
        assertThat(rights).hasSameSizeAs(Schema.tables(dialect));
        for (String right : rights) {
          eachIsNeeded(statement, right, app);
        }
      } finally {
        forget(statement, rights);
      }
    }
  }

  private static void useEverything(String url) throws Exception {
    try (Lockkeeper a = Lockkeeper.builder().namespace("rights").connect(url + EXPECT);
        Lockkeeper b = Lockkeeper.builder().namespace("rights").connect(url + EXPECT)) {
      Everything.use(a, b);
    }
  }

  private static void eachIsNeeded(Statement statement, String right, String url)
      throws SQLException {
    String table = right.replaceFirst(".* on (\\w+) to .*", "$1");
    statement.execute(takenBack(right));
    assertThatThrownBy(() -> useEverything(url))
        .isInstanceOfSatisfying(
            StoreRefusedException.class,
            refused -> assertThat(refused.problem()).isEqualTo(StoreProblem.DENIED))
        .message()
        .containsPattern("\\b" + table + "\\b");
    statement.execute(right);
  }

  private static String takenBack(String right) {
    return right.replaceFirst("^grant", "revoke").replaceFirst(" to (\\w+)$", " from $1");
  }

  /** The database is shared by the tests of this process. */
  private static void forget(Statement statement, List<String> rights) throws SQLException {
    for (String right : rights) {
      statement.execute(right); // a right that is not there cannot be taken back everywhere
      statement.execute(takenBack(right));
    }
    statement.execute(
        statement.getConnection().getMetaData().getURL().startsWith("jdbc:postgresql")
            ? "drop role app"
            : "drop user app");
  }
}
