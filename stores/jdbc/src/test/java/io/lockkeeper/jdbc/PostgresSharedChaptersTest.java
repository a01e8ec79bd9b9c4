package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.tck.SharedChapters;
import io.lockkeeper.testkit.tck.TckStore;

/** The promises about what several may hold, kept on PostgreSQL. */
class PostgresSharedChaptersTest extends SharedChapters {

  @Override
  protected TckStore openStore() {
    return JdbcTckStore.onPooledPostgres();
  }
}
