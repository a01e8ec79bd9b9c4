package io.lockkeeper.jdbc;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** MySQL 8 and MariaDB 10.5, and newer. */
final class MySqlDialect extends Dialect {

  private static final String HAS_TABLE =
      "select min(table_schema) from information_schema.tables where table_schema = ?"
          + " and table_name = '"
          + FIRST_TABLE
          + "'";

  /** The database in the URL of a driver. */
  private static final Pattern IN_URL = Pattern.compile("//[^/?]*/([^?]+)");

  MySqlDialect() {
    this(null);
  }

  private MySqlDialect(@Nullable String schema) {
    super(
        "mysql",
        schema,
        "timestampdiff(microsecond, '1970-01-01 00:00:00', utc_timestamp(6))",
        " for update",
        "greatest",
        "least",
        false,
        false,
        "concat(@@hostname, ':', @@port, '/', @@server_id)",
        "start transaction",
        null,
        20_000_000);
  }

  @Override
  boolean speaks(String product) {
    return product.equals("MySQL") || product.equals("MariaDB");
  }

  @Override
  Dialect in(String schema, Connection connection) {
    return new MySqlDialect(schema);
  }

  /** In all modes: double quotes are for names only with {@code ANSI_QUOTES}. */
  @Override
  String quoted(String name) {
    return '`' + name.replace("`", "``") + '`';
  }

  @Override
  @Nullable String schemaOf(Connection connection) throws SQLException {
    return ask(connection, "select database()");
  }

  @Override
  @Nullable String schemaAtFirst(Connection connection) throws SQLException {
    Matcher url = IN_URL.matcher(Objects.toString(connection.getMetaData().getURL(), ""));
    return url.find() ? ask(connection, HAS_TABLE, url.group(1)) : null;
  }

  /**
   * A connection may have a character set that lacks some of the text, or has other bytes for it;
   * names are bytes in the tables. ASCII is the same in all.
   */
  @Override
  void setText(PreparedStatement statement, int position, @Nullable String text)
      throws SQLException {
    if (text == null || text.chars().allMatch(c -> c < 128)) {
      super.setText(statement, position, text);
    } else {
      statement.setBytes(position, text.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Override
  String insertIfAbsent(String insert) {
    return "insert ignore " + insert;
  }

  @Override
  String asKey(String expression) {
    return "last_insert_id(" + expression + ")";
  }

  @Override
  String writeToken() {
    return INSERT_TOKEN + " on duplicate key update token = greatest(token, ?)";
  }

  /** MariaDB's driver knows what the server says of its session, and MySQL's can be asked. */
  @Override
  boolean settle(Connection connection) throws SQLException {
    MySqlDriver driver = MySqlDriver.of(connection);
    if (driver == null) {
      connection.rollback(); // sends nothing if no transaction is open
      return super.settle(connection);
    } else if (!driver.writesTextsRight()) {
      throw new SQLNonTransientConnectionException(
          "NO_BACKSLASH_ESCAPES was put into the sql_mode of a pool's connection, or taken out of"
              + " it, after the driver had connected, so it writes texts wrongly; set sql_mode with"
              + " sessionVariables in its URL");
    }
    boolean found = super.settle(connection) && driver.commitsEachStatement();
    try (Statement statement = connection.createStatement()) {
      if (driver.isInTransaction()) {
        statement.execute("rollback");
      }
      if (!driver.commitsEachStatement()) {
        statement.execute("set autocommit = 1");
      }
    }
    return found;
  }

  /**
   * Under "repeatable read", the default, a transaction would go on seeing what it saw first; under
   * "read uncommitted" it would see what is undone later.
   */
  @Override
  String beforeBegin() {
    return "set transaction isolation level read committed";
  }

  @Override
  boolean isThereAlready(SQLException error) {
    return error.getErrorCode() == 1060 || error.getErrorCode() == 1061; // a column, an index
  }

  @Override
  @Nullable Verdict own(SQLException error) {
    return switch (error.getErrorCode()) {
      case 1205, 1213 -> Verdict.AGAIN; // lock wait timeout, deadlock
      case 1290, 1836, 1792, 1874 -> Verdict.READ_ONLY; // server, mode, transaction, InnoDB
      case 1044, 1045, 1142, 1143, 1227 -> Verdict.DENIED;
      case 1021, 1114 -> Verdict.FULL;
      case 1146 -> Verdict.NO_TABLE;
      // MySQL's driver says so by itself, for a connection on which setReadOnly was called.
      case 0 ->
          Objects.toString(error.getMessage(), "").startsWith("Connection is read-only")
              ? Verdict.READ_ONLY
              : null;
      default -> null;
    };
  }
}
