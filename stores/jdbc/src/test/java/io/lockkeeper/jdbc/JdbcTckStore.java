package io.lockkeeper.jdbc;

import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.testkit.tck.TckStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A database for the test kit, and what must not be left in it. */
final class JdbcTckStore implements TckStore {

  private final Dialect dialect;
  private final String url;
  private final @Nullable String unreachable;
  private final boolean isPooled;

  static JdbcTckStore onSqlite() {
    return new JdbcTckStore(new SqliteDialect(), Databases.sqlite("tck"), null);
  }

  static JdbcTckStore onH2() {
    return new JdbcTckStore(new H2Dialect(), Databases.h2("tck"), null);
  }

  static JdbcTckStore onPostgres() {
    return new JdbcTckStore(
        new PostgreSqlDialect(),
        Databases.postgres().jdbcUrl(),
        "jdbc:postgresql://127.0.0.1:1/app?user=app&password=s3cret");
  }

  /** As above, with clients that borrow the connections of a data source. */
  static JdbcTckStore onPooledPostgres() {
    JdbcTckStore own = onPostgres();
    return new JdbcTckStore(own.dialect, own.url, own.unreachable, true);
  }

  static JdbcTckStore onMariaDb() {
    return new JdbcTckStore(
        new MySqlDialect(),
        Databases.mariaDb().jdbcUrl(),
        "jdbc:mariadb://127.0.0.1:1/app?user=app&password=s3cret");
  }

  static JdbcTckStore onMySql() {
    return new JdbcTckStore(
        new MySqlDialect(),
        Databases.mySqlUrl(),
        "jdbc:mysql://127.0.0.1:1/app?user=app&password=s3cret");
  }

  private JdbcTckStore(Dialect dialect, String url, @Nullable String unreachable) {
    this(dialect, url, unreachable, false);
  }

  private JdbcTckStore(
      Dialect dialect, String url, @Nullable String unreachable, boolean isPooled) {
    this.dialect = dialect;
    this.url = url;
    this.unreachable = unreachable;
    this.isPooled = isPooled;
  }

  @Override
  public StoreFactory factory() {
    return isPooled ? JdbcStores.from(Databases.pool(url)) : new JdbcStoreProvider().factory(url());
  }

  @Override
  public String url() {
    return url;
  }

  @Override
  public Optional<String> unreachableUrl() {
    return Optional.ofNullable(unreachable);
  }

  @Override
  public boolean loseEverything() {
    try (Connection connection = Databases.connect(url);
        Statement statement = connection.createStatement()) {
      for (String table : Schema.tables(dialect)) {
        statement.executeUpdate("delete from " + table);
      }
      return true;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String residue(String namespace) {
    return residue(dialect, url, namespace);
  }

  static String residue(Dialect dialect, String url, String namespace) {
    List<String> left = new ArrayList<>();
    Residue.clean(url, namespace);
    try (Connection connection = Databases.connect(url)) {
      for (String query : Residue.queries(dialect)) {
        add(connection, dialect.qualified(query), namespace, left);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return String.join("\n", left);
  }

  private static void add(Connection connection, String query, String namespace, List<String> left)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, namespace);
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          left.add(rows.getString(1) + " " + rows.getString(2) + " " + rows.getString(3));
        }
      }
    }
  }

  @Override
  public void close() {}
}
