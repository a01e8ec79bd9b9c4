package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Connections of this library's own: as many as there are threads that use one at a time, made when
 * they are needed and kept.
 */
final class OwnLinks implements Connections {

  /** Makes a new connection. */
  @FunctionalInterface
  interface Opener {
    Connection open() throws SQLException;
  }

  private final Opener opener;
  private final Dialect dialect;
  private final int timeoutMillis;
  private final WireFeatures wire;
  private final ReentrantLock lock = new ReentrantLock();
  // All below is guarded by lock.
  private final Deque<SqlLink> idle = new ArrayDeque<>();
  private final Set<SqlLink> all = new HashSet<>();
  private boolean closed;

  OwnLinks(Opener opener, Dialect dialect, int timeoutMillis, WireFeatures wire) {
    this.opener = opener;
    this.dialect = dialect;
    this.timeoutMillis = timeoutMillis;
    this.wire = wire;
  }

  @Override
  public SqlLink take() throws SQLException {
    lock.lock();
    try {
      if (closed) {
        throw new SQLException("the client is closed");
      }
      SqlLink kept = idle.pollFirst();
      if (kept != null) {
        return kept;
      }
    } finally {
      lock.unlock();
    }
    return open();
  }

  private SqlLink open() throws SQLException {
    return link(opener.open());
  }

  /** Takes over a connection that was made for another purpose; it is closed if that fails. */
  void adopt(Connection connection) throws SQLException {
    giveBack(link(connection), false);
  }

  private SqlLink link(Connection connection) throws SQLException {
    boolean kept = false;
    try {
      StoreFile file = dialect instanceof SqliteDialect ? StoreFile.of(connection) : null;
      SqlLink link = new SqlLink(connection, dialect, true, null, file, wire);
      link.limit(timeoutMillis);
      link.nameNothing();
      dialect.prepare(connection);
      kept = keep(link);
      if (!kept) {
        throw new SQLException("the client is closed");
      }
      return link;
    } finally {
      if (!kept) {
        close(connection);
      }
    }
  }

  private boolean keep(SqlLink link) {
    lock.lock();
    try {
      if (!closed) {
        all.add(link);
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * A broken connection takes the idle ones with it: most likely they have lost the same server.
   */
  @Override
  public void giveBack(SqlLink link, boolean broken) {
    Deque<SqlLink> dropped = new ArrayDeque<>();
    lock.lock();
    try {
      if (broken || closed) {
        dropped.add(link);
        dropped.addAll(idle);
        idle.clear();
        all.removeAll(dropped);
      } else {
        idle.addFirst(link);
      }
    } finally {
      lock.unlock();
    }
    dropped.forEach(OwnLinks::drop);
  }

  @Override
  public void close() {
    Set<SqlLink> dropped;
    lock.lock();
    try {
      closed = true;
      dropped = Set.copyOf(all);
      all.clear();
      idle.clear();
    } finally {
      lock.unlock();
    }
    dropped.forEach(OwnLinks::drop);
  }

  private static void drop(SqlLink link) {
    close(link.connection());
  }

  /** Closes a connection that may be broken. */
  static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException | RuntimeException ignored) {
      // It was broken already.
    }
  }
}
