package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.tck.CellChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;

/** The promises about cells and of peers' tests, kept on H2. */
@Tag("slow")
class H2CellChaptersTest extends CellChapters {

  @Override
  protected TckStore openStore() {
    return JdbcTckStore.onH2();
  }
}
