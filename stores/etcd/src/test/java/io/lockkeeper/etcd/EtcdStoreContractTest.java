package io.lockkeeper.etcd;

import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.testkit.tck.store.StoreContract;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@Tag(ServersTests.TAG)
@Tag("full")
class EtcdStoreContractTest extends StoreContract {

  private final MortalStores factory = process();

  private static MortalStores process() {
    return new MortalStores(SharedServer.running(), Duration.ofSeconds(10), Duration.ofSeconds(10));
  }

  @Override
  protected StoreFactory factory() {
    return factory;
  }

  @Override
  protected StoreFactory elsewhere() {
    return process();
  }

  @Override
  protected void advance(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  @Override
  protected void die(Store client) {
    factory.die(client);
  }

  @Override
  public boolean countsHeartbeats() {
    return false;
  }
}
