package io.lockkeeper.etcd;

import io.lockkeeper.testkit.tck.SharedChapters;
import io.lockkeeper.testkit.tck.TckStore;

class EtcdSharedChaptersTest extends SharedChapters {

  @Override
  protected TckStore openStore() {
    return new EtcdTckStore(SharedServer.running());
  }
}
