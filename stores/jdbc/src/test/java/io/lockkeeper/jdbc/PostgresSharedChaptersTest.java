package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.tck.SharedChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The promises about what several may hold, kept on PostgreSQL. */
@Execution(ExecutionMode.CONCURRENT)
class PostgresSharedChaptersTest extends SharedChapters {

  @Override
  protected TckStore openStore() {
    return JdbcTckStore.onPooledPostgres();
  }
}
