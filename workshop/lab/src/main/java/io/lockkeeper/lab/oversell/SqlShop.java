package io.lockkeeper.lab.oversell;

/**
 * A shop in a SQL database: the stock is a row, the orders are the rows of another table.
 *
 * @param fenced whether it refuses a write with a token that is smaller than one seen before
 */
record SqlShop(SqlLine line, String growingId, boolean fenced) implements Shop {

  static SqlShop open(String url, boolean fenced) {
    String growingId =
        url.startsWith("jdbc:postgresql:")
            ? "bigint generated always as identity primary key"
            : url.startsWith("jdbc:sqlite:")
                ? "integer primary key autoincrement"
                : "bigint auto_increment primary key";
    return new SqlShop(SqlLine.connect(url), growingId, fenced);
  }

  private SqlArticle rows(Article article) {
    return new SqlArticle(line.sql(), article);
  }

  @Override
  public void fill(Article article, long stock) {
    clear(article);
    rows(article).create(growingId, stock);
  }

  @Override
  public Books read(Article article) {
    return line.inTransaction(() -> Books.of(stockLeft(article), rows(article).tokens()));
  }

  @Override
  public void clear(Article article) {
    rows(article).drop();
  }

  @Override
  public long stockLeft(Article article) {
    return rows(article).read("");
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
        () -> {
          if (!fenced) {
            rows(article).sell(leftAfterwards, token);
          } else if (rows(article).writeFenced(leftAfterwards, token)) {
            rows(article).record(leftAfterwards, token);
          } else {
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
