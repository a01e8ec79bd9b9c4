package io.lockkeeper.jdbc;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Opens a store: looks what kind of database it is, and sees to its tables.
 *
 * <p>This file is long because connecting has many steps, each with its refusal.
 */
final class SqlOpener {

  /** Between two attempts to look into a database that others are preparing. */
  private static final long LONGEST_PAUSE_NANOS = 30_000_000;

  private static final String NO_SECOND = "the data source gave no second connection to listen on";

  private static final Logger LOG = System.getLogger("io.lockkeeper");

  private static final List<Dialect> DIALECTS =
      List.of(new PostgreSqlDialect(), new MySqlDialect(), new SqliteDialect(), new H2Dialect());

  /** Returns the dialect of a product, as {@code DatabaseMetaData} names it. */
  static Optional<Dialect> dialectOf(String product) {
    return DIALECTS.stream().filter(one -> one.speaks(product)).findFirst();
  }

  private final Settings settings;
  private final StoreContext context;
  private final OwnLinks.Opener connector;
  private final boolean joinedByUrl;

  /** Takes secrets out of messages. */
  private final UnaryOperator<String> hide;

  private String where;
  private @Nullable Dialect dialect;
  private boolean isOwn;
  private boolean hears;
  private WireFeatures wire = WireFeatures.plain();
  private String server = Dialect.NO_SERVER;

  /** The connection that the database was explored with, if it can be used further. */
  private @Nullable Connection explored;

  private NotificationChannel notifications = NotificationChannel.NONE;

  /** Creates one; {@code joinedByUrl} is {@link JdbcUrl#sendsJoined}. */
  SqlOpener(
      Settings settings,
      StoreContext context,
      String where,
      OwnLinks.Opener connector,
      boolean joinedByUrl,
      UnaryOperator<String> hide) {
    this.settings = settings;
    this.context = context;
    this.where = where;
    this.connector = connector;
    this.joinedByUrl = joinedByUrl;
    this.hide = hide;
  }

  /** Opens a store on connections of its own. */
  Store own() {
    isOwn = true;
    hears = settings.push();
    Dialect found = explore();
    return open(found, ownLinks(found));
  }

  private Connections ownLinks(Dialect found) {
    OwnLinks links = new OwnLinks(() -> again(found), found, settings.timeoutMillis(), wire);
    Connection first = explored;
    if (first != null) {
      try {
        links.adopt(first);
      } catch (SQLException e) {
        // Another client may have been in its way: it is closed, and the store opens its own.
        if (found.verdict(e) != Verdict.AGAIN) {
          notifications.close();
          throw failed(e);
        }
      }
    }
    return links;
  }

  /** Connects once more. A SQLite file may have been replaced by one without tables. */
  private Connection again(Dialect found) throws SQLException {
    Connection connection = connector.open();
    if (found instanceof SqliteDialect) {
      boolean isReady = false;
      try {
        found.prepare(connection);
        tables().check(connection, found);
        isReady = true;
      } finally {
        if (!isReady) {
          connection.close();
        }
      }
    }
    return connection;
  }

  /** Work on a database without being a client of it. */
  @FunctionalInterface
  interface Work<T> {
    T work(Transactions transactions, Dialect dialect);
  }

  /** Works over a connection of its own. */
  <T> T work(Work<T> work) {
    isOwn = true;
    Dialect found = explore();
    try (Transactions transactions =
        new Transactions(
            ownLinks(found),
            NotificationChannel.NONE,
            context.clientId(),
            settings.timeout().toNanos(),
            1,
            context.environment())) {
      return work.work(transactions, found);
    }
  }

  /** Opens a store on the connections of a data source. */
  Store borrowed(DataSource source) {
    hears = settings.push() && !BorrowedLinks.hasOnlyOne(source);
    if (hears != settings.push()) {
      notNotified("its pool has a single connection, and listening takes one for good", null);
    }
    Dialect found = explore();
    return open(found, new BorrowedLinks(source, found, settings.timeoutMillis(), wire));
  }

  private Store open(Dialect found, Connections links) {
    Client client =
        new Client(
            context.clientId(),
            context.namespace(),
            context.timings(),
            context.environment().time(),
            notifications.areOn());
    Transactions transactions =
        new Transactions(
            links,
            notifications,
            context.clientId(),
            settings.timeout().toNanos(),
            found instanceof SqliteDialect ? 1 : settings.connections(),
            context.environment());
    notifications.use(transactions);
    ClientTable directory =
        new ClientTable(
            transactions,
            found,
            context.namespace(),
            context.client(),
            context.environment().time());
    directory.introduce(settings.timeout());
    Marks marks = new Marks(found, context.namespace(), server, settings.synchronous());
    Cleaner cleaner =
        new Cleaner(
            transactions, found, context.environment().time(), context.environment().random());
    return new JdbcStore(
        where, transactions, notifications, found, client, marks, directory, cleaner);
  }

  /** Questions to a database about itself. */
  @FunctionalInterface
  interface Questions<T> {
    T ask(Connection connection, Dialect dialect) throws SQLException;
  }

  /** Asks over a connection of its own, prepared as those of a store are. */
  <T> T consult(Questions<T> questions) {
    try (Connection connection = connector.open()) {
      Dialect found = dialectOf(connection);
      found.prepare(connection);
      found = tables().inSchema(connection, found, isOwn);
      return questions.ask(connection, found);
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private Dialect dialectOf(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    String url = connection.getMetaData().getURL();
    if (url != null) {
      where = JdbcUrl.describe(url);
    }
    Dialect found =
        dialectOf(product)
            .orElseThrow(
                () ->
                    new StoreRefusedException(
                        StoreProblem.OTHER,
                        "not a database that Lockkeeper knows: "
                            + product
                            + "; it knows PostgreSQL, MySQL, MariaDB, SQLite and H2"));
    dialect = found;
    return found;
  }

  /**
   * Connects, for a moment if connections are borrowed. Several clients that begin at once are in
   * each other's way in a new SQLite file, until one has made the tables: that is tried again until
   * the time is up.
   */
  private Dialect explore() {
    long deadline = context.environment().time().nanos() + settings.timeout().toNanos();
    while (true) {
      try {
        return exploreOnce();
      } catch (SQLException e) {
        Dialect known = dialect;
        if (known == null || !mayRepeat(known, e, deadline)) {
          throw failed(e);
        }
      }
    }
  }

  /**
   * Waits for a random moment if it is worth trying again what another client was in the way of.
   */
  private boolean mayRepeat(Dialect found, SQLException e, long deadline) {
    Environment environment = context.environment();
    if (found.verdict(e) != Verdict.AGAIN || environment.time().nanos() - deadline >= 0) {
      return false;
    }
    LockSupport.parkNanos(1 + environment.random().nextLong(LONGEST_PAUSE_NANOS));
    return !Thread.currentThread().isInterrupted();
  }

  /**
   * Checks that it can write. If another transaction is in the way, it can: what may not write is
   * refused before it waits for a lock.
   */
  private static void checkWritable(Connection connection, Dialect found) throws SQLException {
    try {
      TableSetup.checkWritable(connection, found);
    } catch (SQLException e) {
      if (found.verdict(e) != Verdict.AGAIN) {
        throw e;
      }
    }
  }

  private Dialect exploreOnce() throws SQLException {
    Connection connection = connector.open();
    boolean isReady = false;
    try {
      Dialect found = dialectOf(connection);
      wire =
          found instanceof PostgreSqlDialect
              ? postgres(connection)
              : new WireFeatures(joinedByUrl, null);
      SqlLink link = new SqlLink(connection, found, false, null, null, wire);
      link.limit(settings.timeoutMillis());
      link.nameNothing();
      link.restoreAutoCommit(found.settle(connection));
      if (wire.sharesSessions()) {
        checkTransactions(link);
      }
      if (isOwn) {
        found.failAtOnce(connection);
        found.prepare(connection);
      }
      refuseNetwork(connection, found);
      TableSetup tables = tables();
      found = tables.inSchema(connection, found, isOwn);
      dialect = found;
      tables.check(connection, found);
      checkWritable(connection, found);
      found.checkText(connection, context.namespace());
      server = found.serverExpression(connection);
      if (found instanceof PostgreSqlDialect) {
        // While this connection is out: a pool that has only one must not lose it to listening.
        notifications = new ChannelNotifications(hears ? ears(link) : null);
      } else if (hears) {
        notifications =
            new TableNotifications(found, context.clientId(), context.environment().time());
      }
      link.restore();
      // Behind a pooler the driver may believe that what it has named here is known for good.
      explored = isOwn && !wire.sharesSessions() ? connection : null;
      isReady = true;
      return found;
    } finally {
      if (!isReady) {
        notifications.close();
        notifications = NotificationChannel.NONE;
      }
      if (explored == null) {
        OwnLinks.close(connection);
      }
    }
  }

  /**
   * Returns what is known of a way to PostgreSQL. A session other than the announced one is a
   * pooler's, which may give the next transaction yet another one; if notifications arrive, it does
   * not. Where the URL says when statements are named, that is left to it if the pooler tracks
   * names.
   */
  private WireFeatures postgres(Connection connection) throws SQLException {
    PgDriver driver = PgDriver.find(connection);
    if (driver == null) {
      return WireFeatures.plain();
    }
    boolean isPooler = !driver.hasAnnouncedSession(connection);
    WireFeatures found = new WireFeatures(driver.sendsJoined(connection), driver);
    found.shareSessions(isPooler && !tracksNames(driver, connection));
    return found;
  }

  /** Refuses a pooler that ends transactions after each statement. */
  private void checkTransactions(SqlLink link) throws SQLException {
    Outcome<Boolean> outcome =
        atOnce(link, session -> session.first("select 1", row -> true) != null);
    if (outcome instanceof Outcome.Unknown<Boolean> unknown
        && unknown.cause() instanceof SQLException failure) {
      if (!Objects.equals(failure.getSQLState(), "08P01")) {
        throw failure;
      }
      throw refused(
          where
              + ": "
              + hide.apply(String.valueOf(failure.getMessage()))
              + "; Lockkeeper needs transactions: have the pooler give a client the same session"
              + " for a transaction at least (pool_mode = transaction or session)");
    }
  }

  /** Returns whether a pooler can be left to track the names of statements, as the URL wishes. */
  private static boolean tracksNames(PgDriver driver, Connection connection) throws SQLException {
    String url = Objects.toString(connection.getMetaData().getURL(), "");
    return url.contains("prepareThreshold=") && !driver.namesReachServer(connection);
  }

  private @Nullable NotifyListener ears(SqlLink link) throws SQLException {
    try {
      NotifyListener ears =
          NotifyListener.open(
              this::second,
              step -> CompletableFuture.completedFuture(atOnce(link, step)),
              context.clientId(),
              settings.timeoutMillis(),
              context.environment().time(),
              context.environment().random());
      wire.shareSessions(false);
      return ears;
    } catch (PooledSessionException e) {
      PgDriver driver = wire.driver;
      wire.shareSessions(driver == null || !tracksNames(driver, link.connection()));
      notNotified(
          e.getMessage()
              + ". Connect to the server itself, or to a pooler that gives each client a session"
              + " (pool_mode = session)",
          null);
      return null;
    } catch (SQLException e) {
      if (link.connection().isClosed()) {
        throw e; // the test broke the connection, as a database does that does not answer
      }
      notNotified(String.valueOf(e.getMessage()), e);
      return null;
    }
  }

  private void notNotified(String why, @Nullable Throwable cause) {
    LOG.log(
        Level.INFO,
        "this client of "
            + where
            + " is not notified and polls instead, which makes hand-offs between clients slower: "
            + hide.apply(why));
    if (cause != null && hidesNothing(cause)) {
      LOG.log(Level.DEBUG, "why this client is not notified", cause);
    }
  }

  /** Does a step in a transaction on the connection that the database is explored with. */
  private static Outcome<Boolean> atOnce(SqlLink link, Step<Boolean> step) {
    SqlSession session = new SqlSession(link);
    try {
      link.begin();
      Boolean answer = step.run(session);
      session.commit();
      return Outcome.answered(answer);
    } catch (SQLException e) {
      return Outcome.unknown(e);
    }
  }

  /**
   * Makes the connection to listen on. A pool may have no second one: that is not waited for longer
   * than for an answer.
   */
  private Connection second() throws SQLException {
    if (isOwn) {
      return connector.open();
    }
    CompletableFuture<Connection> second = new CompletableFuture<>();
    Thread opening =
        new Thread(
            () -> {
              try {
                Connection opened = connector.open();
                if (!second.complete(opened)) {
                  OwnLinks.close(opened); // too late
                }
              } catch (Throwable e) {
                second.completeExceptionally(e);
              }
            },
            "lockkeeper-jdbc-open");
    opening.setDaemon(true);
    opening.start();
    try {
      return second.get(settings.timeoutMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      if (second.cancel(false)) {
        throw new SQLException(
            NO_SECOND + " within " + settings.timeoutMillis() + " ms: give its pool more", e);
      }
      return second.join();
    } catch (ExecutionException e) {
      throw new SQLException(NO_SECOND + " (" + e.getCause() + ")", e.getCause());
    } catch (InterruptedException e) {
      second.cancel(false);
      Thread.currentThread().interrupt();
      throw new SQLException("interrupted", e);
    }
  }

  private TableSetup tables() {
    return new TableSetup(settings, where);
  }

  private void refuseNetwork(Connection connection, Dialect found) throws SQLException {
    StoreFile file =
        settings.network() || !(found instanceof SqliteDialect) ? null : StoreFile.of(connection);
    if (file == null) {
      return;
    }
    try {
      String type = file.fileSystem();
      if (StoreFile.isOfNetwork(type)) {
        throw refused(onNetwork(file.path(), type));
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "cannot tell what file system the locks are on", e);
    }
  }

  static String onNetwork(Path file, String type) {
    return file
        + " is on a network file system ("
        + type
        + "), where the locks of one machine do not reach another: move it to a local disk, use a"
        + " server, or, if only one machine uses it, say lockkeeper.network=allow in the URL"
        + " (JdbcStores.withNetworkFiles)";
  }

  private static StoreRefusedException refused(String message) {
    return new StoreRefusedException(StoreProblem.OTHER, message);
  }

  private RuntimeException failed(SQLException e) {
    Dialect known = dialect;
    boolean isLogin = Objects.toString(e.getSQLState(), "").startsWith("28");
    Verdict verdict =
        known == null ? (isLogin ? Verdict.DENIED : Verdict.UNKNOWN) : known.verdict(e);
    String text =
        hide.apply(
            verdict == Verdict.READ_ONLY
                ? ReadOnlyException.text(e)
                : known == null
                    ? Objects.toString(e.getMessage(), e.getClass().getName())
                    : known.explained(e));
    return switch (verdict) {
      case DENIED -> new StoreRefusedException(StoreProblem.DENIED, where + ": " + text);
      case FULL -> new StoreRefusedException(StoreProblem.FULL, where + ": " + text);
      case REFUSED, NO_TABLE -> new StoreRefusedException(StoreProblem.OTHER, where + ": " + text);
      default ->
          new StoreUnavailableException(
              "cannot connect to "
                  + where
                  + ": "
                  + (Thread.currentThread().isInterrupted() ? "the thread is interrupted" : text),
              hidesNothing(e) ? e : null);
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
