package io.lockkeeper.lab.oversell.strategy;

import io.lockkeeper.lab.oversell.shop.Article;
import io.lockkeeper.lab.oversell.shop.StoreKind;
import io.lockkeeper.lab.oversell.sql.SqlArticle;
import io.lockkeeper.lab.oversell.sql.SqlFailure;
import io.lockkeeper.lab.oversell.sql.SqlLine;
import java.util.Optional;

/** A strategy of SQL. What the database refuses because of a conflict is an order lost. */
abstract class SqlStrategy extends StoreStrategy {

  SqlStrategy(String name, String summary) {
    super(name, summary, StoreKind.SQL);
  }

  /** Deals with an order. */
  abstract Sale order(SqlLine line, SqlArticle rows, Attempts attempts, Points points)
      throws InterruptedException, OrderLostException;

  @Override
  public final Sellers open(GuardContext context) {
    SqlLine line = SqlLine.connect(context.storeUrl());
    Attempts attempts = new Attempts(context.seed());
    return new Sellers() {
      @Override
      public Seller seller(Article article) {
        SqlArticle rows = new SqlArticle(article);
        return () -> orderOrSayWhyNot(line, rows, attempts, context.points());
      }

      @Override
      public void close() {
        line.close();
      }
    };
  }

  private Sale orderOrSayWhyNot(SqlLine line, SqlArticle rows, Attempts attempts, Points points)
      throws InterruptedException, OrderLostException {
    try {
      return order(line, rows, attempts, points);
    } catch (SqlFailure e) {
      Optional<String> conflict = e.conflict();
      if (conflict.isPresent()) {
        throw new OrderLostException(conflict.get());
      }
      throw e;
    }
  }
}
