package io.lockkeeper.examples.store;

import io.lockkeeper.testkit.tck.SharedChapters;
import io.lockkeeper.testkit.tck.TckStore;

class MapsSharedChaptersTest extends SharedChapters {

  @Override
  protected TckStore openStore() {
    return new MapsTckStore();
  }
}
