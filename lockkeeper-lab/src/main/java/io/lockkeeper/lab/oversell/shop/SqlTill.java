package io.lockkeeper.lab.oversell.shop;

import io.lockkeeper.lab.oversell.sql.SqlArticle;
import io.lockkeeper.lab.oversell.sql.SqlLine;

/** A seller's view of a shop in a SQL database. */
final class SqlTill implements Till {

  private final SqlLine line;

  private SqlTill(SqlLine line) {
    this.line = line;
  }

  static SqlTill open(String url) {
    return new SqlTill(SqlLine.connect(url));
  }

  @Override
  public long stockLeft(Article article) {
    return line.alone(connection -> new SqlArticle(article).read(connection, "").pieces());
  }

  /**
   * {@inheritDoc}
   *
   * <p>Both in one transaction, so that no order is recorded without its piece.
   */
  @Override
  public void sell(Article article, long leftAfterwards, long token) {
    line.inTransaction(
        connection -> {
          SqlArticle rows = new SqlArticle(article);
          rows.record(connection, leftAfterwards, token);
          rows.write(connection, leftAfterwards);
          return true;
        });
  }

  @Override
  public void close() {
    line.close();
  }
}
