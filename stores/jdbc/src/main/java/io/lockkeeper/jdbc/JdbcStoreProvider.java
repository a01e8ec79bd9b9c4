package io.lockkeeper.jdbc;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.spi.StoreCleaner;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreDoctor;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.StoreProvider;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Knows the URLs of databases, which are those of their drivers.
 *
 * <pre>
 *   jdbc:postgresql://host/database?user=USER&amp;password=PASSWORD
 *   jdbc:mysql://host/database?...       jdbc:mariadb://host/database?...
 *   jdbc:sqlite:FILE                     jdbc:h2:mem:NAME;DB_CLOSE_DELAY=-1 (for tests)
 * </pre>
 *
 * <p>Parameters besides the driver's: {@code lockkeeper.timeout} of an operation (3s), {@code
 * lockkeeper.tables} that are not there ({@code create} or {@code expect}), {@code
 * lockkeeper.schema} of the tables (that of the connection), {@code lockkeeper.connections} at a
 * time (2), {@code lockkeeper.replication} if it is {@code synchronous}, {@code
 * lockkeeper.push=off} to do without {@code LISTEN} and {@code NOTIFY} on PostgreSQL, {@code
 * lockkeeper.network=allow} for a SQLite file on a network file system.
 */
public final class JdbcStoreProvider implements StoreProvider {

  /** Creates it. */
  public JdbcStoreProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("jdbc");
  }

  @Override
  public String example() {
    return "jdbc:postgresql://localhost/app?user=app";
  }

  @Override
  public StoreFactory factory(String url) {
    JdbcUrl parsed = JdbcUrl.parse(url);
    return StoreFactory.at(parsed.describe(), context -> opener(parsed, context).own());
  }

  @Override
  public Optional<StoreDoctor> doctor(String url) {
    JdbcUrl parsed = JdbcUrl.parse(url);
    return Optional.of(
        new JdbcDoctor(context -> opener(parsed, context), parsed.settings.tables()));
  }

  @Override
  public Optional<StoreCleaner> cleaner(String url) {
    JdbcUrl parsed = JdbcUrl.parse(url);
    return Optional.of(new JdbcCleaner(context -> opener(parsed, context)));
  }

  private static SqlOpener opener(JdbcUrl url, StoreContext context) {
    Driver driver = driver(url);
    Properties additions = url.additions();
    if (!knows(driver, additions.getProperty(JdbcUrl.SOCKET_FACTORY))) {
      additions.remove(JdbcUrl.SOCKET_FACTORY);
    }
    return new SqlOpener(
        url.settings,
        context,
        url.describe(),
        () -> connect(driver, url.url, additions),
        url.sendsJoined(),
        url::hide);
  }

  /**
   * Returns the driver. {@code DriverManager} looks for drivers once in a JVM, with the context
   * class loader of that moment, so it may not know those of an application that was deployed
   * later.
   */
  private static Driver driver(JdbcUrl url) {
    try {
      return DriverManager.getDriver(url.url);
    } catch (SQLException none) {
      ClassLoader own = JdbcStoreProvider.class.getClassLoader();
      ClassLoader context = Thread.currentThread().getContextClassLoader();
      return Stream.of(own, context)
          .filter(Objects::nonNull)
          .flatMap(loader -> driver(url.driver().className(), loader).stream())
          .findFirst()
          .orElseThrow(
              () ->
                  new StoreRefusedException(
                      StoreProblem.OTHER,
                      "no JDBC driver for "
                          + url.describe()
                          + " on the class path; add the artifact "
                          + url.driver().artifact()));
    }
  }

  private static Optional<Driver> driver(String className, ClassLoader loader) {
    try {
      Class<?> type = Class.forName(className, true, loader);
      return Optional.of((Driver) type.getConstructor().newInstance());
    } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
      return Optional.empty();
    }
  }

  /** Returns whether a driver can load a class; it may be shared by several applications. */
  private static boolean knows(Driver driver, @Nullable String className) {
    try {
      return className != null
          && Class.forName(className, false, driver.getClass().getClassLoader())
              == PromptSocketFactory.class;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  private static Connection connect(Driver driver, String url, Properties limits)
      throws SQLException {
    Connection connection = driver.connect(url, limits);
    if (connection == null) {
      throw new SQLException("the driver does not know the URL");
    }
    return connection;
  }
}
