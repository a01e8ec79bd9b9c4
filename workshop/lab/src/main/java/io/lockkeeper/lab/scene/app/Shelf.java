package io.lockkeeper.lab.scene.app;

import io.lockkeeper.lab.oversell.shop.Article;
import io.lockkeeper.lab.oversell.sql.SqlArticle;
import io.lockkeeper.lab.oversell.strategy.Guard;
import io.lockkeeper.lab.oversell.strategy.Points;
import io.lockkeeper.lab.oversell.strategy.Sale;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The stock in the database, by the connection of Spring's transaction if there is one. */
@Component
@Lazy
class Shelf {

  private final DataSource database;
  private final Turns turns;

  Shelf(DataSource database, Turns turns) {
    this.database = database;
    this.turns = turns;
  }

  /** Reads, checks, and writes the stock less one. */
  Sale sellOne(Article article) {
    if (TransactionSynchronizationManager.isSynchronizationActive()) {
      TransactionSynchronizationManager.registerSynchronization(
          new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
              turns.at(Points.COMMIT);
            }
          });
    }
    Connection connection = DataSourceUtils.getConnection(database);
    try {
      return sellOne(connection, new SqlArticle(article));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } finally {
      DataSourceUtils.releaseConnection(connection, database);
    }
  }

  private Sale sellOne(Connection connection, SqlArticle rows) throws SQLException {
    long turnNanos = System.nanoTime();
    turns.at(Points.ENTERED);
    long left = rows.read(connection, "").pieces();
    turns.at(Points.READ);
    if (left > 0) {
      rows.record(connection, left - 1, Guard.NO_TOKEN);
      rows.write(connection, left - 1);
    }
    turns.at(Points.LEAVING);
    return new Sale(left > 0, turnNanos);
  }
}
