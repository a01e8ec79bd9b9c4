package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.tck.LockChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The promises about locks, kept on SQLite. In the default build they are tried on PostgreSQL; what
 * the two answer is compared there with the memory store's answers.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class SqliteLockChaptersTest extends LockChapters {

  @Override
  protected TckStore openStore() {
    return JdbcTckStore.onSqlite();
  }
}
