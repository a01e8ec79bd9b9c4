package io.lockkeeper.jdbc;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Opens a store: looks what kind of database it is, and sees to its tables. */
final class Opener {

  private final Settings settings;
  private final StoreContext context;
  private final OwnLinks.Opener connector;

  /** Takes secrets out of messages. */
  private final UnaryOperator<String> hide;

  private String where;
  private @Nullable Dialect dialect;
  private int level;

  Opener(
      Settings settings,
      StoreContext context,
      String where,
      OwnLinks.Opener connector,
      UnaryOperator<String> hide) {
    this.settings = settings;
    this.context = context;
    this.where = where;
    this.connector = connector;
    this.hide = hide;
  }

  /** Opens a store on connections of its own. */
  Store own() {
    Dialect found = explore();
    return open(found, new OwnLinks(connector, found, settings.timeoutMillis()));
  }

  /** Opens a store on the connections of a data source. */
  Store borrowed(DataSource source) {
    Dialect found = explore();
    return open(found, new BorrowedLinks(source, found, level, settings.timeoutMillis()));
  }

  private Store open(Dialect found, Links links) {
    Hints hints = Hints.NONE;
    Client client =
        new Client(context.clientId(), context.namespace(), context.timings(), hints.areOn());
    Transactions transactions =
        new Transactions(
            links,
            hints,
            context.clientId(),
            settings.timeout().toNanos(),
            found instanceof SqliteDialect ? 1 : settings.connections(),
            context.environment().random());
    return new JdbcStore(where, transactions, hints, found, client);
  }

  /** Connects for a moment. */
  private Dialect explore() {
    try (Connection connection = connector.open()) {
      String product = connection.getMetaData().getDatabaseProductName();
      String url = connection.getMetaData().getURL();
      if (url != null) {
        where = JdbcUrl.describe(url);
      }
      Dialect found =
          Dialect.ALL.stream()
              .filter(one -> one.speaks(product))
              .findFirst()
              .orElseThrow(
                  () ->
                      new StoreRefusedException(
                          StoreProblem.OTHER,
                          "not a database that Lockkeeper knows: "
                              + product
                              + "; it knows PostgreSQL, MySQL, MariaDB and SQLite"));
      dialect = found;
      level = connection.getTransactionIsolation();
      seeToTables(connection, found);
      return found;
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private void seeToTables(Connection connection, Dialect found) throws SQLException {
    boolean auto = connection.getAutoCommit();
    if (!auto) {
      connection.setAutoCommit(true);
    }
    String missing = Schema.firstMissing(connection, found);
    if (!missing.isEmpty()) {
      if (settings.tables() == Tables.EXPECT) {
        throw new StoreRefusedException(
            StoreProblem.OTHER, Schema.missing(found, where + " has no table " + missing));
      }
      create(connection, found);
    }
    if (!auto) {
      connection.setAutoCommit(false);
    }
  }

  /** Creates the tables; another client that does so at the same time may make one attempt fail. */
  private static void create(Connection connection, Dialect found) throws SQLException {
    for (int attempts = 0; ; attempts++) {
      try {
        Schema.create(connection, found);
        return;
      } catch (SQLException e) {
        if (attempts >= 5 || found.verdict(e) == Verdict.DENIED) {
          throw e;
        }
      }
    }
  }

  private RuntimeException failed(SQLException e) {
    String text = hide.apply(Objects.toString(e.getMessage(), e.getClass().getName()));
    Dialect known = dialect;
    boolean isLogin = Objects.toString(e.getSQLState(), "").startsWith("28");
    Verdict verdict =
        known == null ? (isLogin ? Verdict.DENIED : Verdict.UNKNOWN) : known.verdict(e);
    return switch (verdict) {
      case DENIED -> new StoreRefusedException(StoreProblem.DENIED, where + ": " + text);
      case FULL -> new StoreRefusedException(StoreProblem.FULL, where + ": " + text);
      case REFUSED, NO_TABLE -> new StoreRefusedException(StoreProblem.OTHER, where + ": " + text);
      default ->
          new StoreUnavailableException(
              "cannot connect to " + where + ": " + text, hidesNothing(e) ? e : null);
    };
  }

  /** Returns whether no message of an error has a secret in it. */
  private boolean hidesNothing(Throwable e) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      String text = String.valueOf(t);
      if (!hide.apply(text).equals(text)) {
        return false;
      }
    }
    return true;
  }
}
