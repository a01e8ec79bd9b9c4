package io.lockkeeper.lab.oversell.strategy;

import io.lockkeeper.lab.oversell.sql.SqlArticle;
import io.lockkeeper.lab.oversell.sql.SqlLine;
import java.util.Optional;

/** The stock has a version: who finds that it has changed since the reading tries again. */
final class SqlVersion extends SqlStrategy {

  SqlVersion() {
    super("version", "a version column, at most " + Attempts.MOST + " attempts");
  }

  @Override
  Sale order(SqlLine line, SqlArticle rows, Attempts attempts, Points points)
      throws InterruptedException, OrderLostException {
    return attempts.run(() -> attempt(line, rows, points));
  }

  private static Optional<Sale> attempt(SqlLine line, SqlArticle rows, Points points) {
    long turnNanos = System.nanoTime();
    SqlArticle.Stock stock = line.alone(connection -> rows.read(connection, ""));
    points.at(Points.READ);
    if (stock.pieces() <= 0) {
      return Optional.of(new Sale(false, turnNanos));
    }
    boolean sold =
        line.inTransaction(
            connection -> {
              long left = stock.pieces() - 1;
              boolean written = rows.write(connection, left, stock.version());
              if (written) {
                rows.record(connection, left, Guard.NO_TOKEN);
              }
              return written;
            });
    return sold ? Optional.of(new Sale(true, turnNanos)) : Optional.empty();
  }
}
