package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The differences from database to database. Everything else is said in SQL that all of them
 * understand; statements are written once, with the words of the dialect in them.
 */
abstract class Dialect {

  private static final Set<String> NOT_ALLOWED = Set.of("42501");

  /** An expression for a server that cannot say which one it is. */
  static final String NO_SERVER = "''";

  /** The beginning of {@link #writeToken}. */
  static final String INSERT_TOKEN =
      "insert into lockkeeper_fence (namespace, kind, name, token) values (?, ?, ?, ?)";

  /** The names of the tables in a statement; an index has a name that begins with its table's. */
  private static final Pattern TABLE =
      Pattern.compile(
          "\\blockkeeper_(?:resource|claim|cell|cell_client|client|hint|mark|state)\\b");

  /** The table that says in which schema the others are. */
  static final String FIRST_TABLE = "lockkeeper_resource";

  /** The folder of its schema file, and its name in messages. */
  final String folder;

  /**
   * The schema that the tables are in, which is a database on MySQL and MariaDB; or null as long as
   * it is not known, and where there are no schemas.
   */
  final @Nullable String schema;

  /** An expression: the database's clock in microseconds since 1970, as a 64-bit integer. */
  final String now;

  /** The end of a {@code select} that locks its rows. */
  final String forUpdate;

  /** The name of the function that returns the larger of two values. */
  final String larger;

  /** The name of the function that returns the smaller of two values. */
  final String smaller;

  /** Whether {@code update ... from ... returning} exists. */
  final boolean returning;

  /** Whether statements that change rows may stand in the {@code with} of another one. */
  final boolean joins;

  /**
   * An expression: which server this is, as a text that no other server with a copy of its data
   * has. It is a part of statements, so that it is about the server that carries them out.
   */
  final String server;

  /** The statement that begins a transaction, or null to leave that to the driver. */
  final @Nullable String begin;

  /**
   * The statement that has a transaction use indexes however few rows there seem to be, or null if
   * the database does so anyway. It goes along with the first statement.
   */
  final @Nullable String useIndexes;

  /** The longest pause before a transaction that lost against another one is run again. */
  final long longestPauseNanos;

  Dialect(
      String folder,
      @Nullable String schema,
      String now,
      String forUpdate,
      String larger,
      String smaller,
      boolean returning,
      boolean joins,
      String server,
      @Nullable String begin,
      @Nullable String useIndexes,
      long longestPauseNanos) {
    this.folder = folder;
    this.schema = schema;
    this.now = now;
    this.forUpdate = forUpdate;
    this.larger = larger;
    this.smaller = smaller;
    this.returning = returning;
    this.joins = joins;
    this.server = server;
    this.begin = begin;
    this.useIndexes = useIndexes;
    this.longestPauseNanos = longestPauseNanos;
  }

  /** Returns what ends a {@code select} so that it locks those rows that nobody has locked. */
  final String forUpdateIfFree() {
    return forUpdate.isEmpty() ? "" : forUpdate + " skip locked";
  }

  /**
   * Returns this dialect for tables in a schema of a connection's database; where there are no
   * schemas, this one.
   */
  abstract Dialect in(String schema, Connection connection) throws SQLException;

  /**
   * Returns the schema that a connection finds the tables in, or would make them in; null if it is
   * in none.
   */
  abstract @Nullable String schemaOf(Connection connection) throws SQLException;

  /**
   * Returns the schema that the tables are in for the connection as it was when its session began,
   * if that is known and there are tables.
   */
  @Nullable String schemaAtFirst(Connection connection) throws SQLException {
    return null;
  }

  /** Returns whether there is a schema of this name. */
  boolean hasSchema(Connection connection, String name) throws SQLException {
    String question = "select 1 from INFORMATION_SCHEMA.SCHEMATA where SCHEMA_NAME = ?";
    return ask(connection, question, name) != null;
  }

  /** Returns the name of a schema as it stands in statements. */
  String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /**
   * Returns a statement that names the schema of each table: the connections of a pool may come
   * from users who left them in another one.
   */
  String qualified(String sql) {
    return schema == null
        ? sql
        : TABLE.matcher(sql).replaceAll(Matcher.quoteReplacement(quoted(schema)) + ".$0");
  }

  /** Returns the answer to a question, or null if there is none. */
  static @Nullable String ask(Connection connection, String question, @Nullable String... arguments)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(question)) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setString(i + 1, arguments[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? rows.getString(1) : null;
      }
    }
  }

  /** Returns whether it is the dialect of a product, as {@code DatabaseMetaData} names it. */
  abstract boolean speaks(String product);

  /**
   * Returns the beginning of an {@code insert} that does nothing if the row is there.
   *
   * @param insert the statement, from {@code into} on
   */
  String insertIfAbsent(String insert) {
    return "insert " + insert + " on conflict do nothing";
  }

  /**
   * Returns an expression whose value the driver gives out as the generated key of the statement in
   * which it stands, or null where there is none.
   *
   * @param expression the value, an integer
   */
  @Nullable String asKey(String expression) {
    return null;
  }

  /**
   * Returns the statement that writes a token into {@code lockkeeper_fence}, and leaves the larger
   * one in the row if that is there. Its parameters are namespace, kind, name and token; a fifth,
   * if it has one, is the token again.
   */
  String writeToken() {
    return INSERT_TOKEN
        + " on conflict (namespace, kind, name) do update set token = excluded.token"
        + " where lockkeeper_fence.token <= excluded.token";
  }

  /** Sets a text in a statement, whatever the character set of the connection is. */
  void setText(PreparedStatement statement, int position, @Nullable String text)
      throws SQLException {
    statement.setString(position, text);
  }

  /** Returns a text that people see, such as a thread's name, with what the database can hold. */
  String shown(String text) {
    return text;
  }

  /** Fails if the database cannot hold a text. */
  void checkText(Connection connection, String text) throws SQLException {}

  /** Returns what to say of an error. */
  String explained(SQLException error) {
    return String.valueOf(error.getMessage());
  }

  /** Makes statements fail, and not wait in the driver, while another client is in the way. */
  void failAtOnce(Connection connection) throws SQLException {}

  /** Prepares a connection that is this library's own, once. */
  void prepare(Connection connection) throws SQLException {
    connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
  }

  /**
   * Ends what the application has left open on a connection, and has it commit each statement by
   * itself; returns whether it did so before. What the driver knows of that may be wrong: {@code
   * begin} may have been an ordinary statement.
   */
  boolean settle(Connection connection) throws SQLException {
    boolean found = connection.getAutoCommit();
    if (!found) {
      connection.setAutoCommit(true);
    }
    return found;
  }

  /**
   * Returns the statement to run before each transaction on a connection of the application's, or
   * null. All operations lock the row of the resource first and must then see what others have
   * committed before.
   */
  @Nullable String beforeBegin() {
    return null;
  }

  /** Changes no row, but fails on a server, or over a connection, that takes no changes. */
  final void checkWritable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(qualified(ClientTable.NO_CHANGE));
    }
  }

  /** Returns whether an error says that what a statement was to make is there already. */
  abstract boolean isThereAlready(SQLException error);

  /** Returns what says which server it is, if this account and this product can. */
  final String serverExpression(Connection connection) throws SQLException {
    boolean isAlone = connection.getAutoCommit();
    try (Statement statement = connection.createStatement();
        ResultSet one = statement.executeQuery("select " + server)) {
      return one.next() && one.getString(1) != null ? server : NO_SERVER;
    } catch (SQLException e) {
      if (connection.isClosed()) {
        throw e;
      }
      return NO_SERVER;
    } finally {
      if (!isAlone && !connection.isClosed()) {
        connection.rollback();
      }
    }
  }

  /** Returns what an error of this database alone means, or null if its state says enough. */
  abstract @Nullable Verdict own(SQLException error);

  /** Returns whether a session knows a name of a statement otherwise than the driver does. */
  boolean isNameOfAnother(SQLException error) {
    return false;
  }

  /** Returns whether a change was refused because a constraint forbids it. */
  boolean isViolation(SQLException error) {
    return Objects.toString(error.getSQLState(), "").startsWith("23");
  }

  /** Returns what an error means. */
  final Verdict verdict(SQLException error) {
    Verdict own = own(error);
    if (own != null) {
      return own;
    }
    String state = Objects.toString(error.getSQLState(), "");
    if (state.startsWith("40") || state.startsWith("23") || state.equals("55P03")) {
      return Verdict.AGAIN;
    } else if (error instanceof SQLTransientException
        || error instanceof SQLRecoverableException
        || error instanceof SQLNonTransientConnectionException) {
      return state.startsWith("28") ? Verdict.DENIED : Verdict.UNKNOWN;
    } else if (state.startsWith("28") || NOT_ALLOWED.contains(state)) {
      return Verdict.DENIED;
    } else if (state.equals("42P01") || state.equals("42S02")) {
      return Verdict.NO_TABLE;
    } else if (state.startsWith("42") || state.startsWith("3D") || state.startsWith("3F")) {
      return Verdict.REFUSED;
    }
    return Verdict.UNKNOWN;
  }

  @Override
  public String toString() {
    return folder;
  }
}
