package io.lockkeeper.lab.oversell;

import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.springframework.dao.DataAccessException;

/**
 * The means of a SQL database against overselling. What the database refuses because of a conflict
 * is an order lost.
 */
@SuppressWarnings("ImmutableEnumChecker") // functions without state
enum SqlStrategy implements Strategy {

  /** The stock is never read: one statement takes a piece if one is left. */
  ONE_STATEMENT("update", SqlStrategy::takeOne),
  /** The row of the stock is locked by the database from its reading to the end of the order. */
  FOR_UPDATE(
      "forUpdate",
      order -> order.inTransaction(() -> sell(order, order.rows, SqlArticle.FOR_UPDATE))),
  /** One row of several is locked, found by a column that has an index. */
  INDEXED("forUpdateIndexed", order -> lockRow(order, true)),
  /**
   * The same by a column that has none: to find the row, MariaDB and MySQL go through all rows, and
   * wait for those that others have.
   */
  SCAN("forUpdateScan", order -> lockRow(order, false)),
  /** Two articles in one order, whose rows are locked in the order in which they are asked for. */
  PAIR(
      "pair",
      order ->
          order.points.asks(Points.REVERSED)
              ? pair(order, order.rows.second(), order.rows)
              : pair(order, order.rows, order.rows.second())),
  /** Two articles in one order, whose rows are always locked in the same order. */
  PAIR_SORTED("pairSorted", order -> pair(order, order.rows, order.rows.second())),
  /** The stock has a version: an order that finds another one than it read tries again. */
  VERSION("version", order -> order.attempts.run(() -> attempt(order)));

  /** How an order is dealt with; returns whether a piece was left. */
  private interface Way {
    boolean order(Order order) throws InterruptedException, OrderLostException;
  }

  /** An order under way. */
  private record Order(SqlLine line, SqlArticle rows, Attempts attempts, Points points) {

    boolean inTransaction(BooleanSupplier work) {
      return line.inTransaction(work::getAsBoolean);
    }
  }

  private final String title;
  private final Way way;

  SqlStrategy(String title, Way way) {
    this.title = title;
    this.way = way;
  }

  String title() {
    return title;
  }

  private static boolean takeOne(Order order) {
    return order.inTransaction(
        () -> {
          boolean sold = order.rows.takeOne();
          order.points.at(Points.READ);
          if (sold) {
            order.rows.record(-1, Guard.NO_TOKEN);
          }
          return sold;
        });
  }

  private static boolean sell(Order order, SqlArticle rows, String suffix) {
    long left = rows.read(suffix);
    order.points.at(Points.READ);
    if (left > 0) {
      rows.sell(left - 1, Guard.NO_TOKEN);
    }
    return left > 0;
  }

  private static boolean lockRow(Order order, boolean indexed) {
    boolean other = order.points.asks(Points.OTHER);
    return order.inTransaction(
        () -> {
          order.rows.lockRow(indexed, other ? 2 : 1);
          order.points.at(Points.ENTERED);
          return sell(order, other ? order.rows.second() : order.rows, "");
        });
  }

  private static boolean pair(Order order, SqlArticle first, SqlArticle second) {
    return order.inTransaction(
        () -> {
          long one = first.read(SqlArticle.FOR_UPDATE);
          order.points.at(Points.FIRST);
          long other = second.read(SqlArticle.FOR_UPDATE);
          if (one > 0 && other > 0) {
            first.sell(one - 1, Guard.NO_TOKEN);
            second.sell(other - 1, Guard.NO_TOKEN);
          }
          return one > 0 && other > 0;
        });
  }

  private static Optional<Boolean> attempt(Order order) {
    Map<String, Long> row = order.rows.row("");
    long left = row.getOrDefault("pieces", 0L);
    order.points.at(Points.READ);
    if (left <= 0) {
      return Optional.of(false);
    }
    boolean written =
        order.inTransaction(
            () -> {
              boolean isWritten = order.rows.write(left - 1, row.getOrDefault("version", 0L));
              if (isWritten) {
                order.rows.record(left - 1, Guard.NO_TOKEN);
              }
              return isWritten;
            });
    return written ? Optional.of(true) : Optional.empty();
  }

  @Override
  public Sellers open(GuardContext context) {
    SqlLine line = SqlLine.connect(context.storeUrl());
    Attempts attempts = new Attempts(context.seed());
    return new Sellers(
        article -> {
          SqlArticle rows = new SqlArticle(line.sql(), article);
          return () -> orderOrSayWhyNot(new Order(line, rows, attempts, context.points()));
        },
        line::close);
  }

  private boolean orderOrSayWhyNot(Order order) throws InterruptedException, OrderLostException {
    try {
      return way.order(order);
    } catch (DataAccessException e) {
      Optional<String> conflict = SqlLine.conflict(e);
      if (conflict.isPresent()) {
        throw new OrderLostException(conflict.get());
      }
      throw e;
    }
  }
}
