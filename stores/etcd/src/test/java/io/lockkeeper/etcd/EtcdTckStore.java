package io.lockkeeper.etcd;

import io.lockkeeper.servers.EtcdServer;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.testkit.tck.TckStore;
import io.lockkeeper.testkit.tck.store.RecordResidue;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A server for the test kit, and what must not be left on it. */
final class EtcdTckStore implements TckStore {

  private static final Map<EtcdServer, MortalStores> FACTORIES = new ConcurrentHashMap<>();

  private final EtcdServer server;

  EtcdTckStore(EtcdServer server) {
    this.server = server;
  }

  @Override
  public StoreFactory factory() {
    return stores();
  }

  /** Sessions are short, so that the dead are found soon; a busy disk may take its time. */
  private MortalStores stores() {
    return FACTORIES.computeIfAbsent(
        server, it -> new MortalStores(it, Duration.ofSeconds(15), Duration.ofSeconds(3)));
  }

  @Override
  public String url() {
    return server.url() + "?connectTimeout=20s&sessionTimeout=3s";
  }

  @Override
  public Optional<String> unreachableUrl() {
    return Optional.of("etcd://user:s3cret@127.0.0.1:1?connectTimeout=2s");
  }

  @Override
  public void vanish(Store client) {
    stores().vanish(client);
  }

  @Override
  public boolean loseEverything() {
    RawKeys.of(server).delete(EtcdUrl.PREFIX + "/", key -> !key.contains("/m/"));
    return true;
  }

  @Override
  public String residue(String namespace) {
    String heads = EtcdUrl.PREFIX + "/h/";
    return RecordResidue.of(
        stores(),
        namespace,
        RawKeys.of(server).below(heads + namespace).stream()
            .map(key -> key.substring(heads.length()))
            .toList());
  }

  @Override
  public void close() {}
}
