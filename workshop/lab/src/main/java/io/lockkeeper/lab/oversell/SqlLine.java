package io.lockkeeper.lab.oversell;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.console.Secrets;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A client of a database with a pool of connections, shared by all threads of the process.
 *
 * @param pool of as many connections as is usual
 * @param sql runs statements, each a transaction unless there is one
 * @param transactions runs several in one
 */
record SqlLine(HikariDataSource pool, JdbcTemplate sql, TransactionTemplate transactions)
    implements AutoCloseable {

  private static final int CHANGED_SINCE_LAST_READ = 1020; // in MariaDB
  private static final int LOCK_WAIT_TIMEOUT = 1205; // in MariaDB and MySQL

  /**
   * Connects.
   *
   * @throws CannotRunException if the database is out of reach or refuses the client
   */
  static SqlLine connect(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    try {
      HikariDataSource pool = new HikariDataSource(config);
      return new SqlLine(
          pool, new JdbcTemplate(pool), new TransactionTemplate(new JdbcTransactionManager(pool)));
    } catch (RuntimeException e) {
      throw new CannotRunException(
          "cannot connect to " + Secrets.hide(url) + " (" + Secrets.messageOf(e) + ")", e);
    }
  }

  <T> T inTransaction(Supplier<T> work) {
    return transactions.execute(status -> work.get());
  }

  /**
   * Returns in a few words how transactions got in each other's way, or nothing if it is another
   * failure.
   */
  static Optional<String> conflict(DataAccessException failure) {
    Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
    int code = cause instanceof SQLException refusal ? refusal.getErrorCode() : 0;
    if (String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT).contains("deadlock")) {
      return Optional.of("deadlock");
    }
    return switch (code) {
      case CHANGED_SINCE_LAST_READ -> Optional.of("the row changed since it was read");
      case LOCK_WAIT_TIMEOUT -> Optional.of("lock wait timeout");
      default ->
          failure instanceof ConcurrencyFailureException
              ? Optional.of("a conflict of transactions")
              : Optional.empty();
    };
  }

  @Override
  public void close() {
    pool.close();
  }
}
