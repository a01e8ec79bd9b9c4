package io.lockkeeper.etcd;

import io.etcd.jetcd.Client;
import io.lockkeeper.servers.EtcdServer;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.record.RecordBasedStore;
import io.lockkeeper.spi.record.RecordClock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** Stores of which one can die: from one moment on it sends nothing any more. */
final class MortalStores implements StoreFactory {

  private final EtcdServer server;
  private final EtcdOptions options;
  private final RecordClock clock = EtcdStores.clock();
  private final Map<Store, Client> clients = new ConcurrentHashMap<>();
  private final Map<Store, String> ids = new ConcurrentHashMap<>();

  MortalStores(EtcdServer server, Duration timeout, Duration sessionTimeout) {
    EtcdOptions defaults = EtcdOptions.of(server.url());
    this.server = server;
    this.options =
        new EtcdOptions(
            server.url(),
            "",
            defaults.prefix(),
            timeout,
            defaults.connectTimeout(),
            sessionTimeout);
  }

  @Override
  public Store open(StoreContext context) {
    Client client =
        Client.builder()
            .endpoints("http://" + server.connectString())
            .vertx(EtcdStores.oneThread())
            .build();
    Store store =
        new RecordBasedStore(
            new EtcdRecordStore(client, true, options, context, clock), context, options.timeout());
    clients.put(store, client);
    ids.put(store, context.clientId());
    return store;
  }

  /** Ends the connection of a store without a word, and with it what keeps its session alive. */
  void vanish(Store store) {
    Objects.requireNonNull(clients.get(store)).close();
  }

  /**
   * Ends the session of a store too, as its death would in a while. What has changed anything has a
   * mark under its session; it may not be in the directory yet.
   */
  void die(Store store) {
    vanish(store);
    String id = Objects.requireNonNull(ids.get(store));
    RawKeys.of(server).endLeaseOf(new EtcdKeys(options.prefix()).mark(id));
  }
}
