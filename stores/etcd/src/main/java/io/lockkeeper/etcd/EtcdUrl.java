package io.lockkeeper.etcd;

import io.lockkeeper.spi.support.StoreUrl;
import io.lockkeeper.spi.support.TlsFiles;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads URLs of etcd.
 *
 * <pre>
 *   etcd://[user:password@]host[:port][,host[:port]...][/prefix][?name=value&amp;...]
 *   etcds://...                                                  (with TLS)
 * </pre>
 *
 * <p>As in {@link StoreUrl}, no message made here quotes what may be a password.
 */
final class EtcdUrl {

  static final String EXAMPLE = "etcd://localhost:2379";

  private static final Set<String> PARAMETERS =
      Set.of("timeout", "connectTimeout", "sessionTimeout");
  private static final Set<String> TLS_PARAMETERS =
      Stream.of(PARAMETERS, TlsFiles.PARAMETERS)
          .flatMap(Set::stream)
          .collect(Collectors.toUnmodifiableSet());
  private static final int PORT = 2379;
  private static final Duration SHORTEST_SESSION = Duration.ofSeconds(2);

  /** So long a client that has died may be waited for, and its place be kept. */
  private static final Duration LONGEST_SESSION = Duration.ofMinutes(10);

  static final String PREFIX = "lockkeeper";
  private static final String LOOKS_LIKE =
      "an etcd URL looks like etcd://host1:2379,host2:2379/prefix?timeout=3s, or etcds:// for TLS";

  private final StoreUrl parts;
  private final boolean isTls;
  private final Map<String, String> query;

  private EtcdUrl(String url) {
    this.parts = StoreUrl.read(url, LOOKS_LIKE);
    String scheme = parts.scheme().toLowerCase(Locale.ROOT);
    this.isTls = scheme.equals("etcds");
    if (!(isTls || scheme.equals("etcd")) || !parts.fragment().isEmpty()) {
      throw new IllegalArgumentException(LOOKS_LIKE);
    }
    this.query = parts.parameters(isTls ? TLS_PARAMETERS : PARAMETERS);
  }

  /**
   * Reads a URL.
   *
   * @throws IllegalArgumentException if it is malformed, saying what would be right
   */
  static EtcdSettings parse(String url) {
    return new EtcdUrl(url).settings();
  }

  private EtcdSettings settings() {
    List<String> hosts = parts.hosts(PORT, PORT).stream().map(StoreUrl.Host::toString).toList();
    StoreUrl.Login login = parts.userAndPassword();
    String prefix = prefix(parts.path().replaceAll("^/|/$", ""));
    String where =
        (isTls ? "etcds://" : "etcd://")
            + String.join(",", hosts)
            + "/"
            + prefix.substring(0, prefix.length() - 1);
    EtcdOptions defaults = EtcdOptions.of(where);
    return new EtcdSettings(
        hosts,
        isTls ? TlsFiles.of(query) : null,
        login.user(),
        login.password(),
        new EtcdOptions(
            where,
            login.user(),
            prefix,
            duration("timeout", defaults.timeout()),
            duration("connectTimeout", defaults.connectTimeout()),
            session(duration("sessionTimeout", defaults.sessionTimeout()))));
  }

  /**
   * Returns what keys begin with, with a slash at its end. It is shown in messages, so it has no
   * colon: a user and a password that came into it by a slip are refused.
   */
  static String prefix(String path) {
    if (path.isEmpty()) {
      return PREFIX + "/";
    }
    if (!path.matches("[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*")) {
      throw new IllegalArgumentException(
          "the prefix must be like apps/locks, of letters, digits and _ . -");
    }
    return path + "/";
  }

  /** Returns a session's time if it may be so. */
  static Duration session(Duration session) {
    if (session.compareTo(SHORTEST_SESSION) < 0 || session.compareTo(LONGEST_SESSION) > 0) {
      throw new IllegalArgumentException(
          "sessionTimeout must be from 2s to 10m, was " + session.toMillis() + "ms");
    }
    return session;
  }

  private Duration duration(String name, Duration otherwise) {
    return StoreUrl.duration(name, query.get(name), otherwise);
  }
}
