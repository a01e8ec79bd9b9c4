package io.lockkeeper.etcd;

import io.lockkeeper.testkit.tck.LockChapters;
import io.lockkeeper.testkit.tck.TckStore;

class EtcdLockChaptersTest extends LockChapters {

  @Override
  protected TckStore openStore() {
    return new EtcdTckStore(SharedServer.running());
  }
}
