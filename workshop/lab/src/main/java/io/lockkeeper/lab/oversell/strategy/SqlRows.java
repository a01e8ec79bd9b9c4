package io.lockkeeper.lab.oversell.strategy;

import io.lockkeeper.lab.oversell.sql.SqlArticle;
import io.lockkeeper.lab.oversell.sql.SqlLine;

/**
 * One row of several is locked, found by a column that has an index, or by one that has none. To
 * find it without one, MariaDB and MySQL go through all rows, and wait for those that others have.
 */
final class SqlRows extends SqlStrategy {

  private final boolean indexed;

  SqlRows(boolean indexed) {
    super(
        indexed ? "forUpdateIndexed" : "forUpdateScan",
        "SELECT FOR UPDATE of one row of several, found by a column with"
            + (indexed ? " an index" : "out an index"));
    this.indexed = indexed;
  }

  @Override
  Sale order(SqlLine line, SqlArticle rows, Attempts attempts, Points points) {
    boolean other = points.asks(Points.OTHER);
    SqlArticle sold = other ? rows.second() : rows;
    return line.inTransaction(
        connection -> {
          rows.lockRow(connection, line.dialect(), indexed, other ? 2 : 1);
          long turnNanos = System.nanoTime();
          points.at(Points.ENTERED);
          long left = sold.read(connection, "").pieces();
          points.at(Points.READ);
          if (left > 0) {
            sold.record(connection, left - 1, Guard.NO_TOKEN);
            sold.write(connection, left - 1);
          }
          return new Sale(left > 0, turnNanos);
        });
  }
}
