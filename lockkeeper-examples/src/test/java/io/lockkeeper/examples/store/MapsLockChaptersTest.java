package io.lockkeeper.examples.store;

import io.lockkeeper.testkit.tck.LockChapters;
import io.lockkeeper.testkit.tck.TckStore;

class MapsLockChaptersTest extends LockChapters {

  @Override
  protected TckStore openStore() {
    return new MapsTckStore();
  }
}
