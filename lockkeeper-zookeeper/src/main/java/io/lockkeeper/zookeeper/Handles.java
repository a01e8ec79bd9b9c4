package io.lockkeeper.zookeeper;

import java.io.IOException;
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
  private volatile @Nullable Handle current;

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
    Handle made = new Handle(connectString, sessionTimeout, watcher, canBeReadOnly, config);
    current = made;
    return made;
  }

  /** Stops the present handle's talk with the servers, which end its session in its time. */
  void vanish() {
    Handle handle = current;
    if (handle != null) {
      handle.vanish();
    }
  }

  /** A handle that can fall silent without a farewell. */
  @SuppressWarnings("try") // that closing can be interrupted is ZooKeeper's
  private static final class Handle extends ZooKeeper {

    private volatile boolean vanished;

    Handle(
        String connectString,
        int sessionTimeout,
        Watcher watcher,
        boolean canBeReadOnly,
        ZKClientConfig config)
        throws IOException {
      super(connectString, sessionTimeout, watcher, canBeReadOnly, config);
    }

    void vanish() {
      vanished = true;
      getTestable().injectSessionExpiration();
    }

    /**
     * Says farewell, unless it has vanished: Curator may hear of that before the handle counts as
     * closed, and its farewell would end the session at once.
     */
    @Override
    public synchronized void close() throws InterruptedException {
      if (!vanished) {
        super.close();
      }
    }

    @Override
    public boolean close(int waitMillis) throws InterruptedException {
      return vanished || super.close(waitMillis);
    }
  }
}
