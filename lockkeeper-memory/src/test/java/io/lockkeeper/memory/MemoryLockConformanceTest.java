package io.lockkeeper.memory;

import io.lockkeeper.testkit.juc.LockConformance;
import io.lockkeeper.testkit.tck.TckStore;

class MemoryLockConformanceTest extends LockConformance {

  @Override
  protected TckStore openStore() {
    return new MemoryTckStore();
  }
}
