package io.lockkeeper.memory;

import io.lockkeeper.testkit.tck.LockChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The promises about locks, kept on the memory store. */
@Tag("jdk25")
@Execution(ExecutionMode.CONCURRENT)
class MemoryLockChaptersTest extends LockChapters {

  @Override
  protected TckStore openStore() {
    return new MemoryTckStore();
  }
}
