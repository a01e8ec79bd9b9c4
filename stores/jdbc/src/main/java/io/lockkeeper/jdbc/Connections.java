package io.lockkeeper.jdbc;

import java.sql.SQLException;

/** Where connections come from. */
interface Connections extends AutoCloseable {

  /** Takes a connection, or waits until one is free; {@link #giveBack} must follow. */
  SqlLink take() throws SQLException;

  /**
   * Gives a connection back.
   *
   * @param broken whether it must not be used again
   */
  void giveBack(SqlLink link, boolean broken);

  /** Closes those that are this library's own, also under those who use them. */
  @Override
  void close();
}
