package io.lockkeeper.jdbc;

import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.testkit.tck.store.StoreContract;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The protocol of a store, kept in a database of some kind. */
@Execution(ExecutionMode.CONCURRENT)
abstract class JdbcStoreContract extends StoreContract {

  /** Returns a store that may answer late: what it answers is the subject. */
  static StoreFactory patient(String url) {
    String separator = url.startsWith("jdbc:h2:") ? ";" : url.contains("?") ? "&" : "?";
    return new JdbcStoreProvider().factory(url + separator + "lockkeeper.timeout=1m");
  }

  @Override
  protected void advance(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }
}
