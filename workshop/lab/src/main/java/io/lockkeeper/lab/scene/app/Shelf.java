package io.lockkeeper.lab.scene.app;

import io.lockkeeper.lab.oversell.Article;
import io.lockkeeper.lab.oversell.Points;
import io.lockkeeper.lab.oversell.SqlArticle;
import javax.sql.DataSource;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The stock in the database, by the connection of Spring's transaction if there is one. */
@Component
@Lazy
class Shelf {

  private static final long NO_TOKEN = -1;

  private final DataSource database;
  private final Turns turns;

  Shelf(DataSource database, Turns turns) {
    this.database = database;
    this.turns = turns;
  }

  /** Reads, checks, and writes the stock less one; returns whether a piece was left. */
  boolean sellOne(Article article) {
    if (TransactionSynchronizationManager.isSynchronizationActive()) {
      TransactionSynchronizationManager.registerSynchronization(
          new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
              turns.at(Points.COMMIT);
            }
          });
    }
    SqlArticle rows = new SqlArticle(new JdbcTemplate(database), article);
    turns.at(Points.ENTERED);
    long left = rows.read("");
    turns.at(Points.READ);
    if (left > 0) {
      rows.sell(left - 1, NO_TOKEN);
    }
    turns.at(Points.LEAVING);
    return left > 0;
  }
}
