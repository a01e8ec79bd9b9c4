package io.lockkeeper.lab.oversell;

import io.lockkeeper.lab.oversell.Guard.Guards;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;

/** The lock that people write themselves in SQL: a client that can insert the row has the lock. */
record SqlLockTable(SqlLine line, String name) implements Guard {

  private static final String TABLE = "lab_lock";
  private static final Duration RETRY = Duration.ofMillis(40);

  static Guards guards(GuardContext context) {
    SqlLine line = SqlLine.connect(context.storeUrl());
    line.sql().execute("create table if not exists " + TABLE + " (name varchar(200) primary key)");
    return new Guards(name -> new SqlLockTable(line, name), line::close);
  }

  @Override
  public long enter() throws InterruptedException {
    while (!isDone("insert into " + TABLE + " values (?)")) {
      TimeUnit.MILLISECONDS.sleep(RETRY.toMillis());
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
  private boolean isDone(String text) {
    try {
      line.sql().update(text, name);
      return true;
    } catch (DataAccessException e) {
      if (e instanceof DuplicateKeyException || SqlLine.conflict(e).isPresent()) {
        return false;
      }
      throw e;
    }
  }
}
