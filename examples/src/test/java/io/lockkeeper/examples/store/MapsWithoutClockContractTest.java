package io.lockkeeper.examples.store;

import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.record.RecordBasedStore;
import io.lockkeeper.spi.record.RecordClock;
import io.lockkeeper.testkit.tck.Threads;
import io.lockkeeper.testkit.tck.store.StoreContract;
import java.time.Duration;
import java.util.Random;

/** The protocol of a store that has no clock. */
class MapsWithoutClockContractTest extends StoreContract {

  private final ManualTime time = new ManualTime();
  private final StoreFactory factory = process();
  private final MapsServer server = new MapsServer("contract", time);

  @Override
  protected StoreFactory factory() {
    return factory;
  }

  @Override
  protected StoreFactory elsewhere() {
    return process();
  }

  private StoreFactory process() {
    RecordClock clock = RecordClock.own(time).withCalendar(time);
    return context ->
        new RecordBasedStore(
            new RecordsWithoutClock(server.open(context.clientId()), clock),
            context,
            Duration.ofSeconds(3));
  }

  /** The clients' clock too is moved on: by it a holder counts what remains of its lease. */
  @Override
  protected Environment environment() {
    // Only the jitter of pauses is random, on which nothing here depends.
    return new Environment(time, Threads::scheduler, new Random(1));
  }

  @Override
  protected void advance(Duration passed) {
    time.advance(passed);
  }
}
