package io.lockkeeper.examples.store;

import io.lockkeeper.testkit.tck.CellChapters;
import io.lockkeeper.testkit.tck.TckStore;

class MapsCellChaptersTest extends CellChapters {

  @Override
  protected TckStore openStore() {
    return new MapsTckStore();
  }
}
