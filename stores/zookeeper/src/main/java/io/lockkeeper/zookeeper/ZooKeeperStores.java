package io.lockkeeper.zookeeper;

import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.support.DurationText;
import io.lockkeeper.zookeeper.ZooKeeperSettings.Access;
import java.time.Duration;
import java.util.Objects;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * Stores on the ensemble that a Curator client of the application is connected to, for {@link
 * io.lockkeeper.LockkeeperBuilder#connect(StoreFactory)}.
 *
 * <pre>{@code
 * Lockkeeper keeper = Lockkeeper.builder().connect(ZooKeeperStores.from(curator));
 * }</pre>
 *
 * <p>The application's client lends its settings: the servers, a path behind them in its connection
 * string, and what its ZooKeeper client is configured with, such as TLS. It must have been started.
 * Its session is not used, nor is its namespace: each {@link io.lockkeeper.Lockkeeper} has a
 * session of its own, because what it leaves at the servers is to end when it is closed or dies,
 * and not when the application's client does, and because the session distinguishes one from
 * another. So closing the one leaves the other as it is. What a Curator client authenticates with
 * it does not tell: say it again by {@link #withLogin}.
 *
 * <p>Immutable; each {@code with} method returns a changed copy.
 */
public final class ZooKeeperStores implements StoreFactory {

  private static final ZooKeeperSettings DEFAULTS = ZooKeeperUrl.parse(ZooKeeperUrl.EXAMPLE);

  private final CuratorFramework curator;
  private final ZooKeeperSettings settings;
  private final ZooKeeperFactory factory;

  private ZooKeeperStores(CuratorFramework curator, ZooKeeperSettings settings) {
    this.curator = curator;
    this.settings = settings;
    this.factory = new ZooKeeperFactory(settings, this::config);
  }

  /** Returns stores below {@code /lockkeeper} on the ensemble of a client. */
  public static ZooKeeperStores from(CuratorFramework curator) {
    return new ZooKeeperStores(
        curator,
        new ZooKeeperSettings(
            curator.getZookeeperClient().getCurrentConnectionString(),
            DEFAULTS.root(),
            "",
            "",
            Access.OPEN,
            DEFAULTS.timeout(),
            DEFAULTS.connectTimeout(),
            DEFAULTS.sessionTimeout()));
  }

  /**
   * Sets the path under which everything is kept. Default {@code /lockkeeper}.
   *
   * @throws IllegalArgumentException if it is not like {@code /apps/locks}
   */
  public ZooKeeperStores withRoot(String path) {
    return with(
        ZooKeeperUrl.checkedRoot(path),
        settings.user(),
        settings.password(),
        settings.access(),
        settings.sessionTimeout());
  }

  /**
   * Authenticates by digest. Only who does so too may see the nodes that are made then. Default not
   * to, with nodes that are open to all.
   *
   * @throws IllegalArgumentException if the user is empty or has a colon
   */
  public ZooKeeperStores withLogin(String user, String password) {
    Objects.requireNonNull(password, "password");
    if (user.isEmpty() || user.contains(":")) {
      throw new IllegalArgumentException("the user must not be empty and must have no colon");
    }
    return with(settings.root(), user, password, Access.CREATOR, settings.sessionTimeout());
  }

  /**
   * Sets after which time the servers take a silent client for dead, within the bounds that they
   * have. Default 45 seconds, one and a half times the default lease.
   *
   * @throws IllegalArgumentException if not positive, or longer than a day
   */
  public ZooKeeperStores withSessionTimeout(Duration timeout) {
    if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException(
          "sessionTimeout must be positive and a day at most, was " + DurationText.of(timeout));
    }
    return with(settings.root(), settings.user(), settings.password(), settings.access(), timeout);
  }

  private ZooKeeperStores with(
      String root, String user, String password, Access access, Duration sessionTimeout) {
    return new ZooKeeperStores(
        curator,
        new ZooKeeperSettings(
            settings.connectString(),
            root,
            user,
            password,
            access,
            settings.timeout(),
            settings.connectTimeout(),
            sessionTimeout));
  }

  @Override
  public Store open(StoreContext context) {
    if (curator.getState() != CuratorFrameworkState.STARTED) {
      throw new StoreUnavailableException(
          "the Curator client for " + describe() + " is not started: " + curator.getState(), null);
    }
    return factory.open(context);
  }

  @Override
  public String describe() {
    return settings.describe();
  }

  /** Returns the configuration of the application's ZooKeeper client, to be added to. */
  private ZKClientConfig config() {
    try {
      return new BorrowedConfig(curator.getZookeeperClient().getZooKeeper().getClientConfig());
    } catch (Exception e) { // Curator declares nothing better
      throw new StoreUnavailableException(
          "the Curator client for " + describe() + " has no ZooKeeper client: " + e.getMessage(),
          e);
    }
  }
}
