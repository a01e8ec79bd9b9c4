package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.tck.CellChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The promises about cells and of peers' tests, kept on PostgreSQL. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class PostgresCellChaptersTest extends CellChapters {

  @Override
  protected TckStore openStore() {
    return JdbcTckStore.onPostgres();
  }
}
