package io.lockkeeper.zookeeper;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * ZooKeeper's own handles, one per session. Curator keeps them connected and begins a new session
 * when one has ended; it asks nothing.
 */
class RealSessions implements Sessions, ZookeeperFactory {

  /** Room for the names of a hundred thousand claims, say; ZooKeeper's own limit is a megabyte. */
  private static final String LARGEST_ANSWER = Integer.toString(32 << 20);

  /** How long a server may take to accept a connection. */
  private static final int MOST_CONNECT_MILLIS = 5_000;

  private final ZooKeeperSettings settings;
  private final Supplier<ZKClientConfig> configs;
  private final CuratorFramework curator;
  private volatile @Nullable Handle current;

  /** Set before the first session. */
  private volatile @Nullable Listener listener;

  RealSessions(ZooKeeperSettings settings) {
    this(settings, ZKClientConfig::new);
  }

  /**
   * Creates it without connecting.
   *
   * @param configs makes the configuration of a handle, to be added to
   */
  RealSessions(ZooKeeperSettings settings, Supplier<ZKClientConfig> configs) {
    this.settings = settings;
    this.configs = configs;
    CuratorFrameworkFactory.Builder builder =
        CuratorFrameworkFactory.builder()
            .connectString(settings.connectString())
            .sessionTimeoutMs(Math.toIntExact(settings.sessionTimeout().toMillis()))
            .connectionTimeoutMs(Math.toIntExact(settings.connectTimeout().toMillis()))
            .retryPolicy((count, elapsedMillis, sleeper) -> false)
            .waitForShutdownTimeoutMs(Math.toIntExact(settings.timeout().toMillis()))
            .zookeeperFactory(this);
    byte[] login = settings.login();
    if (login.length > 0) {
      builder.authorization("digest", login);
    }
    this.curator = builder.build();
  }

  /** Connects, and returns whether that succeeded within the connect timeout. */
  boolean connect(Listener hearer) throws InterruptedException {
    listener = hearer;
    curator.getConnectionStateListenable().addListener((c, state) -> tell(hearer, state));
    curator.start();
    long millis = settings.connectTimeout().toMillis();
    return curator.blockUntilConnected(Math.toIntExact(millis), TimeUnit.MILLISECONDS);
  }

  private static void tell(Listener listener, ConnectionState state) {
    switch (state) {
      case LOST -> listener.lost();
      case CONNECTED, RECONNECTED -> listener.connected();
      default -> {} // it may come back
    }
  }

  @Override
  public @Nullable Session current() {
    return current;
  }

  @Override
  public ZooKeeper newZooKeeper(
      String connectString, int sessionTimeout, Watcher watcher, boolean canBeReadOnly)
      throws Exception {
    ZKClientConfig config = configs.get();
    config.setProperty(ZKClientConfig.JUTE_MAXBUFFER, LARGEST_ANSWER);
    // Only closing waits like this; without a limit it waits for a server that does not answer.
    config.setProperty(
        ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, Long.toString(settings.timeout().toMillis()));
    Listener hearer = listener;
    if (hearer != null) {
      hearer.begins();
    }
    Handle made = handle(connectString, sessionTimeout, watcher, canBeReadOnly, config);
    current = made;
    return made;
  }

  @Override
  public void close() {
    boolean wasInterrupted = Thread.interrupted(); // else Curator stops half-way
    try {
      curator.close();
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Makes a handle, which begins a session. */
  Handle handle(
      String connectString,
      int sessionTimeout,
      Watcher watcher,
      boolean canBeReadOnly,
      ZKClientConfig config)
      throws IOException {
    return new Handle(connectString, sessionTimeout, watcher, canBeReadOnly, config);
  }

  /** A handle as a session. */
  @SuppressWarnings("try") // that closing can be interrupted is ZooKeeper's
  static class Handle extends ZooKeeper implements Session {

    Handle(
        String connectString,
        int sessionTimeout,
        Watcher watcher,
        boolean canBeReadOnly,
        ZKClientConfig config)
        throws IOException {
      super(
          connectString,
          sessionTimeout,
          watcher,
          canBeReadOnly,
          new ServerList(connectString, sessionTimeout / MOST_CONNECT_MILLIS),
          config);
    }

    /** Closes the socket: the handle then connects to the next server of its list. */
    @Override
    public void changeServer() {
      if (getState().isConnected()) {
        try {
          getTestable().closeSocket();
        } catch (IOException | RuntimeException e) {
          // The connection has ended meanwhile, and the next one is under way.
        }
      }
    }
  }
}
