package io.lockkeeper.reactor;

import io.lockkeeper.Lockkeeper;

class MemoryReactorLockTest extends ReactorLockTests {

  @Override
  Lockkeeper connect() {
    return Lockkeeper.connect("memory:reactor-lock-test");
  }
}
