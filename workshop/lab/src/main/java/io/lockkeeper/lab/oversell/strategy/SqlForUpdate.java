package io.lockkeeper.lab.oversell.strategy;

import io.lockkeeper.lab.oversell.sql.SqlArticle;
import io.lockkeeper.lab.oversell.sql.SqlLine;

/** The row of the stock is locked by the database from its reading to the end of the order. */
final class SqlForUpdate extends SqlStrategy {

  SqlForUpdate() {
    super("forUpdate", "SELECT FOR UPDATE, then the order (SQLite: BEGIN IMMEDIATE)");
  }

  @Override
  Sale order(SqlLine line, SqlArticle rows, Attempts attempts, Points points) {
    return line.inTransaction(
        connection -> {
          long left = rows.read(connection, line.dialect().forUpdate()).pieces();
          long turnNanos = System.nanoTime();
          points.at(Points.READ);
          if (left > 0) {
            rows.record(connection, left - 1, Guard.NO_TOKEN);
            rows.write(connection, left - 1);
          }
          return new Sale(left > 0, turnNanos);
        });
  }
}
