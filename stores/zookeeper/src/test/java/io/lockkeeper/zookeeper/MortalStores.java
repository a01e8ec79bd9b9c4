package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;

/** Stores whose sessions end when a test says so. */
final class MortalStores implements StoreFactory {

  private final ZooKeeperSettings settings;
  private final ZooKeeperFactory factory;
  private final Map<Store, MortalHandles> handles = new ConcurrentHashMap<>();

  MortalStores(String url) {
    this.settings = ZooKeeperUrl.parse(url);
    this.factory = new ZooKeeperFactory(settings);
  }

  @Override
  public Store open(StoreContext context) {
    MortalHandles sessions = new MortalHandles(settings);
    Store store = factory.open(context, sessions);
    handles.put(store, sessions);
    return store;
  }

  private MortalHandles of(Store store) {
    return Objects.requireNonNull(handles.get(store));
  }

  /** Ends the session as the death of its process would, without waiting. */
  void die(Store store) {
    try {
      ((ZooKeeper) Objects.requireNonNull(of(store).current())).close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stops the store's talk with the servers, which end its session in its time. */
  void vanish(Store store) {
    ((MortalHandle) Objects.requireNonNull(of(store).current())).vanish();
  }

  /** Does the same, and lets it find no server from then on. */
  void cutOff(Store store) {
    of(store).isCutOff = true;
    vanish(store);
  }

  private static final class MortalHandles extends RealSessions {

    private static final String NOWHERE = "localhost:1";

    private volatile boolean isCutOff;

    MortalHandles(ZooKeeperSettings settings) {
      super(settings);
    }

    @Override
    Handle handle(
        String connectString,
        int sessionTimeout,
        Watcher watcher,
        boolean canBeReadOnly,
        ZKClientConfig config)
        throws IOException {
      String servers = isCutOff ? NOWHERE : connectString;
      return new MortalHandle(servers, sessionTimeout, watcher, canBeReadOnly, config);
    }
  }

  /** A handle that can fall silent without a farewell. */
  @SuppressWarnings("try") // that closing can be interrupted is ZooKeeper's
  private static final class MortalHandle extends RealSessions.Handle {

    private volatile boolean vanished;

    MortalHandle(
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
     * Says farewell, unless it has vanished: Curator may see that before the handle counts as
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
