package io.lockkeeper.jdbc;

import java.sql.SQLException;

/** Notifications do not arrive, because a pooler gives each transaction another session. */
final class PooledSessionException extends SQLException {

  private static final long serialVersionUID = 1L;

  PooledSessionException(String what) {
    super(what);
  }
}
