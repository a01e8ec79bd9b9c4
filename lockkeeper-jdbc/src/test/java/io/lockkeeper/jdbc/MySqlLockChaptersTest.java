package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.tck.LockChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;

/** The promises about locks, kept on MySQL; see {@link Databases#mySqlUrl()}. */
@Tag("slow")
class MySqlLockChaptersTest extends LockChapters {

  @Override
  protected TckStore openStore() {
    return JdbcTckStore.onMySql();
  }
}
