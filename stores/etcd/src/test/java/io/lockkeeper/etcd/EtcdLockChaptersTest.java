package io.lockkeeper.etcd;

import io.lockkeeper.testkit.tck.LockChapters;
import io.lockkeeper.testkit.tck.TckStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@Tag(ServersTests.TAG)
@Tag("full")
class EtcdLockChaptersTest extends LockChapters {

  @Override
  protected TckStore openStore() {
    return new EtcdTckStore(SharedServer.running());
  }
}
