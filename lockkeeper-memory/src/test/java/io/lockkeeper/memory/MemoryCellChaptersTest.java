package io.lockkeeper.memory;

import io.lockkeeper.testkit.tck.CellChapters;
import io.lockkeeper.testkit.tck.TckStore;

/** The promises about cells and of peers' tests, kept on the memory store. */
class MemoryCellChaptersTest extends CellChapters {

  @Override
  protected TckStore openStore() {
    return new MemoryTckStore();
  }
}
