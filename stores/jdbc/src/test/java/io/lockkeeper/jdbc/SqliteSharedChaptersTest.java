package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.tck.SharedChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The promises about what several may hold, kept on SQLite. In the default build they are tried on
 * PostgreSQL: most of it is real waiting.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class SqliteSharedChaptersTest extends SharedChapters {

  @Override
  protected TckStore openStore() {
    return JdbcTckStore.onSqlite();
  }
}
