package io.lockkeeper.jdbc;

import java.sql.Connection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/** A data source that writes down the statements and transactions that are sent through it. */
final class CountingSource extends FollowedSource {

  private static final Set<String> ENDS = Set.of("commit", "rollback");

  /** Statements outside of a transaction, and ends of transactions. */
  final List<String> transactions = new CopyOnWriteArrayList<>();

  final List<String> statements = new CopyOnWriteArrayList<>();

  CountingSource(DataSource source) {
    super(source);
  }

  void forget() {
    transactions.clear();
    statements.clear();
  }

  @Override
  Follower follow(Connection connection) {
    return new Follower() {

      private boolean inTransaction;
      private boolean isEmpty;

      @Override
      Object around(String sql, Sending sending) throws Throwable {
        if (sql.startsWith("begin") || sql.startsWith("start")) {
          inTransaction = true;
          isEmpty = true;
        } else if (ENDS.contains(sql)) {
          if (inTransaction && !isEmpty) { // of an empty one the driver sends neither end
            transactions.add(sql);
          }
          inTransaction = false;
        } else {
          isEmpty = false;
          statements.add(sql);
          if (!inTransaction && !sql.startsWith("set ")) {
            transactions.add(sql);
          }
        }
        return sending.send();
      }
    };
  }
}
