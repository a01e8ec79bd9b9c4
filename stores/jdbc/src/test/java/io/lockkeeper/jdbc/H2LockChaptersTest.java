package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.tck.LockChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;

/** The promises about locks, kept on H2. */
@Tag("slow")
class H2LockChaptersTest extends LockChapters {

  @Override
  protected TckStore openStore() {
    return JdbcTckStore.onH2();
  }
}
