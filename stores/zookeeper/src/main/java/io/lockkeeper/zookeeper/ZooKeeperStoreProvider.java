package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.StoreDoctor;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.StoreProvider;
import java.util.Optional;
import java.util.Set;

/**
 * Knows the URLs of ZooKeeper.
 *
 * <pre>
 *   zookeeper://[user:password@]host[:port][,host[:port]...][/path]
 * </pre>
 *
 * <p>The path is the node under which everything is kept, {@code /lockkeeper} unless given. With a
 * user the client authenticates by digest, and only who does so too may see its nodes, unless
 * {@code acl=open}. Parameters: {@code timeout} of a request (3s), {@code connectTimeout} (10s),
 * {@code sessionTimeout} (45s) after which the servers take a silent client for dead.
 */
public final class ZooKeeperStoreProvider implements StoreProvider {

  /** Creates it. */
  public ZooKeeperStoreProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("zookeeper");
  }

  @Override
  public String example() {
    return ZooKeeperUrl.EXAMPLE;
  }

  @Override
  public StoreFactory factory(String url) {
    return new ZooKeeperFactory(ZooKeeperUrl.parse(url));
  }

  @Override
  public Optional<StoreDoctor> doctor(String url) {
    return Optional.of(new ZooKeeperDoctor(ZooKeeperUrl.parse(url)));
  }
}
