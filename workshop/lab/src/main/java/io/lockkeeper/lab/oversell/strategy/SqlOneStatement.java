package io.lockkeeper.lab.oversell.strategy;

import io.lockkeeper.lab.oversell.sql.SqlArticle;
import io.lockkeeper.lab.oversell.sql.SqlLine;

/** The stock is never read: one statement takes a piece if one is left. */
final class SqlOneStatement extends SqlStrategy {

  SqlOneStatement() {
    super("update", "UPDATE stock SET pieces = pieces - 1 WHERE pieces > 0, and the order");
  }

  @Override
  Sale order(SqlLine line, SqlArticle rows, Attempts attempts, Points points) {
    return line.inTransaction(
        connection -> {
          long turnNanos = System.nanoTime();
          boolean sold = rows.takeOne(connection);
          points.at(Points.READ);
          if (sold) {
            rows.record(connection, -1, Guard.NO_TOKEN);
          }
          return new Sale(sold, turnNanos);
        });
  }
}
