package io.lockkeeper.lab.oversell.shop;

import io.lockkeeper.cli.console.CannotRunException;
import io.lockkeeper.lab.oversell.sql.SqlArticle;
import io.lockkeeper.lab.oversell.sql.SqlFailure;
import io.lockkeeper.lab.oversell.sql.SqlLine;
import java.util.List;
import java.util.function.Supplier;

/** A shop in a SQL database: the stock is a row, the orders are the rows of another table. */
final class SqlShop implements Shop {

  private final SqlLine line;

  private SqlShop(SqlLine line) {
    this.line = line;
  }

  static SqlShop open(String url) {
    return new SqlShop(SqlLine.connect(url));
  }

  @Override
  public String server() {
    return call(line::server);
  }

  @Override
  public void fill(Article article, long stock) {
    clear(article);
    call(
        () ->
            line.alone(
                connection -> {
                  new SqlArticle(article).create(connection, line.dialect(), stock);
                  return true;
                }));
  }

  @Override
  public Books read(Article article) {
    return call(
        () ->
            line.inTransaction(
                connection -> {
                  SqlArticle rows = new SqlArticle(article);
                  TokenCheck tokens = new TokenCheck();
                  rows.tokens(connection, tokens::add);
                  long left = rows.read(connection, "").pieces();
                  return new Books(left, tokens.orders(), tokens.regressions());
                }));
  }

  @Override
  public void clear(Article article) {
    call(
        () ->
            line.alone(
                connection -> {
                  new SqlArticle(article).drop(connection);
                  return true;
                }));
  }

  @Override
  public List<String> lastDeadlock() {
    try {
      return line.alone(connection -> line.dialect().lastDeadlock(connection));
    } catch (SqlFailure e) {
      return List.of("the database does not show it: " + e.getMessage());
    }
  }

  private static <T> T call(Supplier<T> work) {
    try {
      return work.get();
    } catch (SqlFailure e) {
      throw new CannotRunException("the store does not play along: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    line.close();
  }
}
