package io.lockkeeper.lab.oversell.strategy;

import io.lockkeeper.lab.oversell.shop.StoreKind;
import io.lockkeeper.lab.oversell.sql.SqlFailure;
import io.lockkeeper.lab.oversell.sql.SqlLine;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** The lock that people write themselves in SQL: who can insert the row has the lock. */
final class SqlLockTable implements GuardStrategy {

  private static final String TABLE = "lab_lock";
  private static final Duration RETRY = Duration.ofMillis(40);

  @Override
  public String name() {
    return "lockTable";
  }

  @Override
  public String summary() {
    return "a row with a unique key, retried every " + RETRY.toMillis() + " ms";
  }

  @Override
  public Scope scope() {
    return Scope.ALL_PROCESSES;
  }

  @Override
  public Set<StoreKind> stores() {
    return EnumSet.of(StoreKind.SQL);
  }

  @Override
  public Guards guards(GuardContext context) {
    SqlLine line = SqlLine.connect(context.storeUrl());
    line.alone(SqlLockTable::create);
    return new Guards() {
      @Override
      public Guard guard(String name) {
        return new Door(line, name);
      }

      @Override
      public void close() {
        line.close();
      }
    };
  }

  private static boolean create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.execute(
          "create table if not exists " + TABLE + " (name varchar(200) primary key)");
    }
  }

  private static int change(Connection connection, String sql, String name) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, name);
      return statement.executeUpdate();
    }
  }

  private record Door(SqlLine line, String name) implements Guard {

    @Override
    public long enter() throws InterruptedException {
      while (!isDone("insert into " + TABLE + " values (?)")) {
        Attempts.pause(RETRY.toNanos());
      }
      return NO_TOKEN;
    }

    @Override
    public void exit() {
      while (!isDone("delete from " + TABLE + " where name = ?")) {
        // the victim of a deadlock
      }
    }

    /** InnoDB ends some of many such inserts and deletes of one row as victims of deadlocks. */
    private boolean isDone(String sql) {
      try {
        line.alone(connection -> change(connection, sql, name));
        return true;
      } catch (SqlFailure e) {
        if (e.isDuplicate() || e.conflict().isPresent()) {
          return false;
        }
        throw e;
      }
    }
  }
}
