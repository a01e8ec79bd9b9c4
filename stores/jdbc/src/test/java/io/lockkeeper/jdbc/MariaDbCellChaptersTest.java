package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.tck.CellChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The promises about cells and of peers' tests, kept on MariaDB. In the default build they are
 * tried on PostgreSQL and SQLite: most of it is real waiting.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class MariaDbCellChaptersTest extends CellChapters {

  @Override
  protected TckStore openStore() {
    return JdbcTckStore.onMariaDb();
  }
}
