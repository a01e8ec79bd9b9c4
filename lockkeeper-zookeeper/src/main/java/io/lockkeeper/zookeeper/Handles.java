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

  private volatile @Nullable ZooKeeper current;

  @Nullable ZooKeeper current() {
    return current;
  }

  @Override
  public ZooKeeper newZooKeeper(
      String connectString, int sessionTimeout, Watcher watcher, boolean canBeReadOnly)
      throws Exception {
    ZKClientConfig config = new ZKClientConfig();
    config.setProperty(ZKClientConfig.JUTE_MAXBUFFER, LARGEST_ANSWER);
    ZooKeeper made = new ZooKeeper(connectString, sessionTimeout, watcher, canBeReadOnly, config);
    current = made;
    return made;
  }
}
