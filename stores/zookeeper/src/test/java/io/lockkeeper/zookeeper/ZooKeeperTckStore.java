package io.lockkeeper.zookeeper;

import io.lockkeeper.servers.ZooKeeperServer;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.testkit.tck.TckStore;
import io.lockkeeper.testkit.tck.store.RecordResidue;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A server for the test kit, and what must not be left on it. */
final class ZooKeeperTckStore implements TckStore {

  private static final Map<String, MortalStores> FACTORIES = new ConcurrentHashMap<>();

  private final ZooKeeperServer server;

  ZooKeeperTckStore(ZooKeeperServer server) {
    this.server = server;
  }

  @Override
  public StoreFactory factory() {
    return stores();
  }

  private MortalStores stores() {
    return FACTORIES.computeIfAbsent(url(), MortalStores::new);
  }

  /** Sessions are short, so that the dead are found soon. */
  @Override
  public String url() {
    return server.url() + "?connectTimeout=20s&sessionTimeout=3s";
  }

  @Override
  public Optional<String> unreachableUrl() {
    return Optional.of("zookeeper://user:s3cret@127.0.0.1:1?connectTimeout=2s");
  }

  @Override
  public void vanish(Store client) {
    stores().vanish(client);
  }

  @Override
  public boolean loseEverything() {
    RawTree.of(server).deleteAll("/lockkeeper");
    return true;
  }

  @Override
  public String residue(String namespace) {
    String folder = new Nodes("/lockkeeper").namespace(namespace);
    return RecordResidue.of(
        stores(),
        namespace,
        RawTree.of(server).below(folder).stream()
            .map(path -> path.substring(folder.length() + 1))
            .filter(node -> node.indexOf('/') < 0)
            .map(node -> Nodes.key(namespace, node))
            .filter(Objects::nonNull)
            .toList());
  }

  @Override
  public int largestValue() {
    return 700_000;
  }

  @Override
  public void close() {}
}
