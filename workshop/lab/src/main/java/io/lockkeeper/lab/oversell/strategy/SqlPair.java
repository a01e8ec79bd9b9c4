package io.lockkeeper.lab.oversell.strategy;

import io.lockkeeper.lab.oversell.sql.SqlArticle;
import io.lockkeeper.lab.oversell.sql.SqlLine;

/**
 * Two articles in one order: their rows are locked in the order in which they are asked for, or
 * always in the same order.
 */
final class SqlPair extends SqlStrategy {

  private final boolean sorted;

  SqlPair(boolean sorted) {
    super(
        sorted ? "pairSorted" : "pair",
        "SELECT FOR UPDATE of two rows, "
            + (sorted ? "always in the same order" : "as they are asked for"));
    this.sorted = sorted;
  }

  @Override
  Sale order(SqlLine line, SqlArticle rows, Attempts attempts, Points points) {
    boolean swap = points.asks(Points.REVERSED) && !sorted;
    SqlArticle first = swap ? rows.second() : rows;
    SqlArticle second = swap ? rows : rows.second();
    return line.inTransaction(
        connection -> {
          String suffix = line.dialect().forUpdate();
          long one = first.read(connection, suffix).pieces();
          long turnNanos = System.nanoTime();
          points.at(Points.FIRST);
          long other = second.read(connection, suffix).pieces();
          boolean sold = one > 0 && other > 0;
          if (sold) {
            first.record(connection, one - 1, Guard.NO_TOKEN);
            first.write(connection, one - 1);
            second.record(connection, other - 1, Guard.NO_TOKEN);
            second.write(connection, other - 1);
          }
          return new Sale(sold, turnNanos);
        });
  }
}
