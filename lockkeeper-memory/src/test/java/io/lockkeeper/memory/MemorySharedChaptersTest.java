package io.lockkeeper.memory;

import io.lockkeeper.testkit.tck.SharedChapters;
import io.lockkeeper.testkit.tck.TckStore;

/** The promises about what several may hold, kept on the memory store. */
class MemorySharedChaptersTest extends SharedChapters {

  @Override
  protected TckStore openStore() {
    return new MemoryTckStore();
  }
}
