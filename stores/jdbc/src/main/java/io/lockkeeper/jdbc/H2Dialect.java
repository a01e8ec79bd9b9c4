package io.lockkeeper.jdbc;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * H2 2.3 and newer, for tests. Its {@code current_timestamp} stands still during a transaction; the
 * start of the statement does not. System names are in upper case, as H2 may take names as they
 * stand.
 */
final class H2Dialect extends Dialect {

  private static final String NOW =
      "(select cast(extract(epoch from EXECUTING_STATEMENT_START) * 1000000 as bigint)"
          + " from INFORMATION_SCHEMA.SESSIONS where SESSION_ID = session_id())";

  private static final String MODE =
      "select SETTING_VALUE from INFORMATION_SCHEMA.SETTINGS where SETTING_NAME = 'MODE'";

  /** A column whose name is a reserved word here. */
  private static final Pattern VALUE = Pattern.compile("(?<!\")\\bvalue\\b");

  H2Dialect() {
    this(null);
  }

  private H2Dialect(@Nullable String schema) {
    super(
        "h2",
        schema,
        NOW,
        " for update",
        "greatest",
        "least",
        false,
        false,
        NO_SERVER,
        null,
        null,
        2_000_000);
  }

  @Override
  boolean speaks(String product) {
    return product.equals("H2");
  }

  @Override
  Dialect in(String schema, Connection connection) throws SQLException {
    if ("jdbc:h2:mem:".equals(connection.getMetaData().getURL())) {
      throw refused(
          "each connection to jdbc:h2:mem: has a database of its own; name it, as in"
              + " jdbc:h2:mem:app;DB_CLOSE_DELAY=-1");
    }
    String mode = ask(connection, MODE);
    if ("Oracle".equals(mode) || "MSSQLServer".equals(mode)) {
      throw refused("Lockkeeper's statements do not work with MODE=" + mode + " of H2");
    }
    return new H2Dialect(schema);
  }

  private static StoreRefusedException refused(String message) {
    return new StoreRefusedException(StoreProblem.OTHER, message);
  }

  @Override
  @Nullable String schemaOf(Connection connection) throws SQLException {
    return ask(connection, "select current_schema");
  }

  @Override
  String qualified(String sql) {
    return super.qualified(VALUE.matcher(sql).replaceAll("\"value\""));
  }

  /** If another one was quicker it fails, and the transaction is run again. */
  @Override
  String insertIfAbsent(String insert) {
    return "insert " + insert;
  }

  @Override
  String writeToken() {
    return "merge into lockkeeper_fence f using (values (cast(? as varchar), cast(? as varchar),"
        + " cast(? as varchar), cast(? as bigint))) as n (namespace, kind, name, token)"
        + " on f.namespace = n.namespace and f.kind = n.kind and f.name = n.name"
        + " when matched and f.token <= n.token then update set token = n.token"
        + " when not matched then insert (namespace, kind, name, token)"
        + " values (n.namespace, n.kind, n.name, n.token)";
  }

  /** Leaves out the statement, which H2 appends. */
  @Override
  String explained(SQLException error) {
    String text = super.explained(error).split("; SQL statement:", 2)[0];
    return own(error) == Verdict.NO_TABLE
        ? text
            + " (the last connection to a database in memory takes it away as it closes, unless"
            + " the URL has DB_CLOSE_DELAY=-1)"
        : text;
  }

  @Override
  boolean isThereAlready(SQLException error) {
    return switch (error.getErrorCode()) {
      case 42101, 42111, 42121 -> true; // a table, an index, a column
      default -> false;
    };
  }

  @Override
  @Nullable Verdict own(SQLException error) {
    return switch (error.getErrorCode()) {
      case 40001, 50200, 90131 -> Verdict.AGAIN; // deadlock, lock timeout, concurrent update
      case 42102, 42103, 42104 -> Verdict.NO_TABLE;
      case 90079 -> Verdict.REFUSED; // no such schema
      case 90096, 90040 -> Verdict.DENIED;
      case 90097 -> Verdict.READ_ONLY;
      case 90100 -> Verdict.FULL;
      default -> null;
    };
  }
}
