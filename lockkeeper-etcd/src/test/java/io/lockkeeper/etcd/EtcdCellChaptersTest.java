package io.lockkeeper.etcd;

import io.lockkeeper.testkit.tck.CellChapters;
import io.lockkeeper.testkit.tck.TckStore;

class EtcdCellChaptersTest extends CellChapters {

  @Override
  protected TckStore openStore() {
    return new EtcdTckStore(SharedServer.running());
  }
}
