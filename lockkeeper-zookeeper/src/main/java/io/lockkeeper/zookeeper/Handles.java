package io.lockkeeper.zookeeper;

import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/** Makes ZooKeeper's handles for Curator, one per session, and knows the latest. */
final class Handles implements ZookeeperFactory {

  /** Room for the names of a hundred thousand claims, say; ZooKeeper's own limit is a megabyte. */
  private static final String LARGEST_ANSWER = Integer.toString(32 << 20);

  private final String requestMillis;
  private volatile @Nullable ZooKeeper current;

  Handles(ZooKeeperSettings settings) {
    this.requestMillis = Long.toString(settings.timeout().toMillis());
  }

  @Nullable ZooKeeper current() {
    return current;
  }

  @Override
  public ZooKeeper newZooKeeper(
      String connectString, int sessionTimeout, Watcher watcher, boolean canBeReadOnly)
      throws Exception {
    ZKClientConfig config = new ZKClientConfig();
    config.setProperty(ZKClientConfig.JUTE_MAXBUFFER, LARGEST_ANSWER);
    // Only closing waits like this; without a limit it waits for a server that does not answer.
    config.setProperty(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, requestMillis);
    ZooKeeper made = new ZooKeeper(connectString, sessionTimeout, watcher, canBeReadOnly, config);
    current = made;
    return made;
  }
}
