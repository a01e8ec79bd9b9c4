package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import java.util.function.Supplier;
import org.apache.zookeeper.client.ZKClientConfig;

/** Opens stores at one address; they share what they have seen there. */
final class ZooKeeperFactory implements StoreFactory {

  private final ZooKeeperSettings settings;
  private final Supplier<ZKClientConfig> configs;
  private final LeaseObservations observations = new LeaseObservations(System::nanoTime);

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
      ZooKeeperStore store = new ZooKeeperStore(connection, context, observations);
      store.enterOrThrow();
      return store;
    } catch (RuntimeException refused) {
      connection.close();
      throw refused;
    }
  }
}
