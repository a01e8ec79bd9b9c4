package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.record.RecordBasedStore;
import io.lockkeeper.spi.record.RecordClock;
import java.util.function.Supplier;
import org.apache.zookeeper.client.ZKClientConfig;

/** Opens stores at one address; they share what they have seen there. */
final class ZooKeeperFactory implements StoreFactory {

  private final ZooKeeperSettings settings;
  private final Supplier<ZKClientConfig> configs;
  private final RecordClock clock = RecordClock.own(System::nanoTime);

  ZooKeeperFactory(ZooKeeperSettings settings) {
    this(settings, ZKClientConfig::new);
  }

  ZooKeeperFactory(ZooKeeperSettings settings, Supplier<ZKClientConfig> configs) {
    this.settings = settings;
    this.configs = configs;
  }

  @Override
  public Store open(StoreContext context) {
    return open(context, new RealSessions(settings, configs));
  }

  @Override
  public String describe() {
    return settings.describe();
  }

  /** Opens a store on these sessions, which it closes. */
  Store open(StoreContext context, RealSessions handles) {
    Connection connection = Connection.open(settings, context.environment(), handles);
    try {
      ZooKeeperRecordStore records = new ZooKeeperRecordStore(connection, false, context, clock);
      records.enterOrThrow();
      Store store = new RecordBasedStore(records, context, settings.timeout());
      return new ClosingStore(store, records.ended(), connection);
    } catch (RuntimeException refused) {
      connection.close();
      throw refused;
    }
  }
}
