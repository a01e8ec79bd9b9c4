package io.lockkeeper.zookeeper;

import io.lockkeeper.servers.ZooKeeperServer;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.testkit.tck.TckStore;
import java.util.List;
import java.util.Map;
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

  /** Nodes that are only there to have children go by themselves. */
  @Override
  public String residue(String namespace) {
    List<String> left = RawTree.of(server).below("/lockkeeper/" + Paths.encode(namespace));
    return String.join(
        "\n", left.stream().filter(it -> isClaim(it) || isCell(it) || isSet(it)).toList());
  }

  /** Returns whether it is the record of a semaphore whose limit is set for good. */
  private boolean isSet(String path) {
    return RawTree.of(server).data(path).matches("(?s)lockkeeper1 \\S+ \\S+ r .*");
  }

  /** Returns whether it is a cell that is there; one that is not may still remember updates. */
  private boolean isCell(String path) {
    return RawTree.of(server).data(path).startsWith("lockkeeper-cell1 +");
  }

  private static boolean isClaim(String path) {
    return NodeName.parse(path.substring(path.lastIndexOf('/') + 1)) != null;
  }

  @Override
  public int largestValue() {
    return Cells.LARGEST_VALUE;
  }

  @Override
  public void close() {}
}
