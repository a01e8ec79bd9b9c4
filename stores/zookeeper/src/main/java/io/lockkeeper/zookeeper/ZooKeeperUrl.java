package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.support.StoreUrl;
import io.lockkeeper.zookeeper.ZooKeeperSettings.Access;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads URLs of ZooKeeper ensembles.
 *
 * <pre>
 *   zookeeper://[user:password@]host[:port][,host[:port]...][/path][?name=value&amp;...]
 * </pre>
 *
 * <p>As in {@link StoreUrl}, no message made here quotes what may be a password.
 */
final class ZooKeeperUrl {

  static final String EXAMPLE = "zookeeper://localhost:2181";

  private static final Set<String> PARAMETERS =
      Set.of("timeout", "connectTimeout", "sessionTimeout", "acl");
  private static final int PORT = 2181;
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /** One and a half times the default lease: so the end of a session frees what it held. */
  private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(45);

  private static final String ROOT = "/lockkeeper";
  private static final String LOOKS_LIKE =
      "a ZooKeeper URL looks like zookeeper://host1:2181,host2:2181/path?sessionTimeout=45s";

  private final StoreUrl parts;
  private final List<String> hosts;
  private final Map<String, String> query;

  private ZooKeeperUrl(String url) {
    this.parts = StoreUrl.read(url, LOOKS_LIKE);
    if (!parts.scheme().equalsIgnoreCase("zookeeper") || !parts.fragment().isEmpty()) {
      throw new IllegalArgumentException(LOOKS_LIKE);
    }
    this.hosts = parts.hosts(PORT, PORT).stream().map(StoreUrl.Host::toString).toList();
    this.query = parts.parameters(PARAMETERS);
  }

  /**
   * Reads a URL.
   *
   * @throws IllegalArgumentException if it is malformed, saying what would be right
   */
  static ZooKeeperSettings parse(String url) {
    return new ZooKeeperUrl(url).settings();
  }

  private ZooKeeperSettings settings() {
    StoreUrl.Login login = parts.userAndPassword();
    return new ZooKeeperSettings(
        String.join(",", hosts),
        root(),
        login.user(),
        login.password(),
        access(!login.user().isEmpty()),
        duration("timeout", TIMEOUT),
        duration("connectTimeout", CONNECT_TIMEOUT),
        duration("sessionTimeout", SESSION_TIMEOUT));
  }

  private String root() {
    String path = parts.path();
    if (path.isEmpty() || path.equals("/")) {
      return ROOT;
    }
    return checkedRoot(path);
  }

  /**
   * Returns a path if it is one under which everything can be kept. It is shown in messages, so it
   * has no colon: a user and a password that came into it by a slip are refused.
   */
  static String checkedRoot(String path) {
    if (!path.matches("(/[A-Za-z0-9_.-]+)+") || path.matches(".*/\\.{1,2}(/.*)?")) {
      throw new IllegalArgumentException(
          "the path must be like /apps/locks, of letters, digits and _ . -");
    }
    return path;
  }

  private Access access(boolean hasLogin) {
    String acl = query.getOrDefault("acl", hasLogin ? "creator" : "open");
    if (acl.equals("creator") && !hasLogin) {
      throw new IllegalArgumentException("acl=creator needs user:password@ before the hosts");
    }
    return switch (acl) {
      case "open" -> Access.OPEN;
      case "creator" -> Access.CREATOR;
      default -> throw new IllegalArgumentException("acl must be open or creator, was " + acl);
    };
  }

  private Duration duration(String name, Duration otherwise) {
    return StoreUrl.duration(name, query.get(name), otherwise);
  }
}
