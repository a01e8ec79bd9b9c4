package io.lockkeeper.lab.oversell.shop;

import io.lockkeeper.lab.oversell.sql.SqlArticle;
import io.lockkeeper.lab.oversell.sql.SqlLine;

/** A seller's view of a shop in a SQL database. */
final class SqlTill implements Till {

  private final SqlLine line;
  private final boolean fenced;

  private SqlTill(SqlLine line, boolean fenced) {
    this.line = line;
    this.fenced = fenced;
  }

  static SqlTill open(String url, boolean fenced) {
    return new SqlTill(SqlLine.connect(url), fenced);
  }

  @Override
  public long stockLeft(Article article) {
    return line.alone(connection -> new SqlArticle(article).read(connection, "").pieces());
  }

  /**
   * {@inheritDoc}
   *
   * <p>Both in one transaction, so that no order is recorded without its piece.
   *
   * @throws IllegalStateException if it is fenced, and the stock has seen a larger token
   */
  @Override
  public void sell(Article article, long leftAfterwards, long token) {
    line.inTransaction(
        connection -> {
          SqlArticle rows = new SqlArticle(article);
          rows.record(connection, leftAfterwards, token);
          if (!fenced) {
            rows.write(connection, leftAfterwards);
          } else if (!rows.writeFenced(connection, leftAfterwards, token)) {
            throw new IllegalStateException("refused: the stock has seen a larger token");
          }
          return true;
        });
  }

  @Override
  public void close() {
    line.close();
  }
}
