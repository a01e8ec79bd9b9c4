package io.lockkeeper.memory;

import io.lockkeeper.testkit.tck.SharedChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The promises about what several may hold, kept on the memory store. */
@Execution(ExecutionMode.CONCURRENT)
class MemorySharedChaptersTest extends SharedChapters {

  @Override
  protected TckStore openStore() {
    return new MemoryTckStore();
  }
}
