package io.lockkeeper.examples.store;

import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.spi.record.RecordBasedStore;
import io.lockkeeper.spi.record.RecordStore;
import io.lockkeeper.testkit.tck.Threads;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that a test moves on. */
final class ManualTime implements TimeSource {

  private final AtomicLong nanos = new AtomicLong();

  @Override
  public long nanos() {
    return nanos.get();
  }

  void advance(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  /**
   * Opens a client's store on its way to the records. Only the jitter of pauses is random there.
   */
  Store open(String client, RecordStore records) {
    Environment environment = new Environment(this, Threads::scheduler, new Random(1));
    StoreContext context = new StoreContext(client, client, "ns", Timings.DEFAULT, environment);
    return new RecordBasedStore(records, context, Duration.ofSeconds(3));
  }
}
