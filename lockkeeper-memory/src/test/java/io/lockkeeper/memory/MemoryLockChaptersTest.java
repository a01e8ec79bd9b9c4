package io.lockkeeper.memory;

import io.lockkeeper.testkit.tck.LockChapters;
import io.lockkeeper.testkit.tck.TckStore;

/** The promises about locks, kept on the memory store. */
class MemoryLockChaptersTest extends LockChapters {

  @Override
  protected TckStore openStore() {
    return new MemoryTckStore();
  }
}
