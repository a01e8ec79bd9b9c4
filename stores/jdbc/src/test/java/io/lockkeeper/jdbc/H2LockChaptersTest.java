package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.tck.LockChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The promises about locks, kept on H2. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class H2LockChaptersTest extends LockChapters {

  @Override
  protected TckStore openStore() {
    return JdbcTckStore.onH2();
  }
}
