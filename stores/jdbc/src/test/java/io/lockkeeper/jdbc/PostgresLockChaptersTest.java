package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.tck.LockChapters;
import io.lockkeeper.testkit.tck.TckStore;

/** The promises about locks, kept on PostgreSQL. */
class PostgresLockChaptersTest extends LockChapters {

  @Override
  protected TckStore openStore() {
    return JdbcTckStore.onPooledPostgres();
  }
}
