package io.lockkeeper.jdbc;

import io.lockkeeper.testkit.tck.SharedChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;

/** The promises about what several may hold, kept on H2. */
@Tag("slow")
class H2SharedChaptersTest extends SharedChapters {

  @Override
  protected TckStore openStore() {
    return JdbcTckStore.onH2();
  }
}
