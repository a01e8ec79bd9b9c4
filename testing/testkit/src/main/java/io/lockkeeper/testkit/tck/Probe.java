package io.lockkeeper.testkit.tck;

import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.Timings;
import java.util.Random;
import java.util.UUID;

/** A look into the store from outside, which changes nothing there. */
final class Probe implements AutoCloseable {

  private final Store store;

  Probe(StoreFactory factory, String namespace) {
    String id = UUID.randomUUID().toString().replace("-", "");
    Environment environment = new Environment(System::nanoTime, Threads::scheduler, new Random(1));
    store = factory.open(new StoreContext(id, "probe", namespace, Timings.DEFAULT, environment));
    store.listen(NotificationListener.silent());
  }

  Inspection inspect(ResourceId resource) {
    return TckBase.answered(Worker.outcome(store.inspect(resource)));
  }

  @Override
  public void close() {
    store.close();
  }
}
