package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.tck.CellChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The promises about cells and of peers' tests, kept on H2. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class H2CellChaptersTest extends CellChapters {

  @Override
  protected TckStore openStore() {
    return JdbcTckStore.onH2();
  }
}
