package io.lockkeeper.jdbc;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * One operation, done in a transaction. It may be run several times, so it has no effects but those
 * on the session; several steps may share a transaction.
 *
 * @param <T> what it answers
 */
@FunctionalInterface
interface Step<T> {

  /** Does it within a transaction. */
  T run(SqlSession session) throws SQLException;

  /**
   * Tries to do it with a single statement, which changes nothing if that is not enough. Outside of
   * a transaction, the statement is one of its own.
   *
   * @return null if it takes more than that
   */
  default @Nullable T alone(SqlSession session) throws SQLException {
    return null;
  }

  /** Returns whether it takes long enough to have a transaction of its own. */
  default boolean isSolitary() {
    return false;
  }
}
