package io.lockkeeper.memory;

import io.lockkeeper.testkit.tck.CellChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The promises about cells and of peers' tests, kept on the memory store. */
@Execution(ExecutionMode.CONCURRENT)
class MemoryCellChaptersTest extends CellChapters {

  @Override
  protected TckStore openStore() {
    return new MemoryTckStore();
  }
}
