package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.testkit.tck.store.StoreContract;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class ZooKeeperStoreContractTest extends StoreContract {

  /** One for all: they share what they have seen, as clients of one process do. */
  private static final MortalStores FACTORY = process();

  private static MortalStores process() {
    return new MortalStores(SharedServer.running().url() + "?connectTimeout=1m&timeout=1m");
  }

  @Override
  protected StoreFactory factory() {
    return FACTORY;
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
    FACTORY.die(client);
  }

  @Override
  public boolean countsHeartbeats() {
    return false;
  }
}
