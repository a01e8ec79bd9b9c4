package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.tck.CellChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The promises about cells and of peers' tests, kept on SQLite, which has no server to start. */
@Execution(ExecutionMode.CONCURRENT)
class SqliteCellChaptersTest extends CellChapters {

  @Override
  protected TckStore openStore() {
    return JdbcTckStore.onSqlite();
  }
}
