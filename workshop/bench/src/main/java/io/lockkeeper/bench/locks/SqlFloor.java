package io.lockkeeper.bench.locks;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * A row for each lock: one statement takes it, one gives it back, each a transaction of its own.
 * The row stays, because the token is in it.
 */
final class SqlFloor extends Floor {

  private static final String TABLE =
      "floor (name varchar(255) primary key, owner varchar(255) not null, expires %s not null,"
          + " token bigint not null)";

  private final String url;
  private final Dialect dialect;
  private final ConcurrentLinkedDeque<Session> free = new ConcurrentLinkedDeque<>();

  SqlFloor(String url) {
    this.url = url;
    this.dialect = Databases.isMariaDb(url) ? Dialect.MARIADB : Dialect.POSTGRESQL;
    Databases.open(url, TABLE.formatted(dialect.moment)).close();
  }

  @Override
  long take(String name, String owner) {
    return call(session -> session.take(name, owner));
  }

  @Override
  void giveBack(String name, String owner) {
    long unused = call(session -> session.giveBack(name, owner));
  }

  /** Work on a connection that nothing else uses meanwhile. */
  private interface Action {
    long run(Session session) throws SQLException;
  }

  private long call(Action action) {
    try {
      Session used = free.poll();
      Session session = used != null ? used : new Session(url, dialect);
      long result = action.run(session);
      free.push(session);
      return result;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    for (Session session = free.poll(); session != null; session = free.poll()) {
      session.close();
    }
  }

  /** The two statements; each is asked for with the name before the owner. */
  private enum Dialect {
    POSTGRESQL(
        "timestamptz",
        """
        insert into floor values (?, ?, now() + interval '%d seconds', 1)
        on conflict (name) do update
          set owner = excluded.owner, expires = excluded.expires, token = floor.token + 1
          where floor.expires <= now()
        returning owner, token
        """,
        "update floor set expires = now() where name = ? and owner = ?"),

    /** It assigns from the left to the right, so the end comes last. */
    MARIADB(
        "datetime(6)",
        """
        insert into floor values (?, ?, now(6) + interval %d second, 1)
        on duplicate key update
          owner = if(expires <= now(6), values(owner), owner),
          token = if(expires <= now(6), token + 1, token),
          expires = if(expires <= now(6), values(expires), expires)
        returning owner, token
        """,
        "update floor set expires = now(6) where name = ? and owner = ?");

    private final String moment;
    private final String take;
    private final String giveBack;

    Dialect(String moment, String take, String giveBack) {
      this.moment = moment;
      this.take = take.formatted(LEASE_SECONDS);
      this.giveBack = giveBack;
    }
  }

  /** A connection and its prepared statements. */
  private static final class Session implements AutoCloseable {

    private final Connection connection;
    private final PreparedStatement take;
    private final PreparedStatement giveBack;

    Session(String url, Dialect dialect) throws SQLException {
      connection = DriverManager.getConnection(url);
      take = connection.prepareStatement(dialect.take);
      giveBack = connection.prepareStatement(dialect.giveBack);
    }

    long take(String name, String owner) throws SQLException {
      take.setString(1, name);
      take.setString(2, owner);
      try (ResultSet row = take.executeQuery()) {
        return row.next() && row.getString(1).equals(owner) ? row.getLong(2) : 0;
      }
    }

    long giveBack(String name, String owner) throws SQLException {
      giveBack.setString(1, name);
      giveBack.setString(2, owner);
      return giveBack.executeUpdate();
    }

    @Override
    public void close() {
      try {
        connection.close();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
