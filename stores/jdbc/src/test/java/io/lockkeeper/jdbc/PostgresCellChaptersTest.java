package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.tck.CellChapters;
import io.lockkeeper.testkit.tck.TckStore;

/** The promises about cells and of peers' tests, kept on PostgreSQL. */
class PostgresCellChaptersTest extends CellChapters {

  @Override
  protected TckStore openStore() {
    return JdbcTckStore.onPostgres();
  }
}
