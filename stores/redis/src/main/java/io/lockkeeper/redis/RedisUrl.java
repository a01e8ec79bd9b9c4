package io.lockkeeper.redis;

import io.lettuce.core.SslVerifyMode;
import io.lockkeeper.redis.RedisSettings.Topology;
import io.lockkeeper.spi.support.StoreUrl;
import io.lockkeeper.spi.support.TlsFiles;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads URLs of Redis servers.
 *
 * <pre>
 *   scheme://[[user]:password@]host[:port][,host[:port]...][/database][?name=value&amp;...][#master]
 * </pre>
 *
 * <p>As in {@link StoreUrl}, no message made here quotes what may be a password.
 */
final class RedisUrl {

  static final Set<String> SCHEMES =
      Set.of(
          "redis",
          "rediss",
          "redis-sentinel",
          "rediss-sentinel",
          "redis-cluster",
          "rediss-cluster");

  private static final Set<String> PARAMETERS =
      Set.of(
          "timeout",
          "connectTimeout",
          "replicas",
          "replicaTimeout",
          "master",
          "sentinelUser",
          "sentinelPassword",
          "verifyPeer",
          "ca",
          "cert",
          "key",
          "afterLoss",
          "quarantine",
          "push");

  private static final List<String> TLS_PARAMETERS = List.of("verifyPeer", "ca", "cert", "key");

  private static final int PORT = 6379;
  private static final int SENTINEL_PORT = 26379;
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  /** Longer than a request's: the first connection of a process also loads the driver. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private static final Duration REPLICA_TIMEOUT = Duration.ofSeconds(1);

  private final Topology topology;
  private final boolean isTls;
  private final StoreUrl parts;
  private final List<Address> addresses;
  private final Map<String, String> query;

  private RedisUrl(String url) {
    this.parts =
        StoreUrl.read(
            url,
            "a Redis URL looks like redis://host:6379 or redis://:password@host:6379/0?timeout=3s");
    String scheme = parts.scheme().toLowerCase(Locale.ROOT);
    if (!SCHEMES.contains(scheme)) {
      throw new IllegalArgumentException("unknown scheme " + scheme + "; known: " + SCHEMES);
    }
    this.isTls = scheme.startsWith("rediss");
    this.topology = topology(scheme);
    this.addresses =
        parts.hosts(topology == Topology.SENTINEL ? SENTINEL_PORT : PORT, PORT).stream()
            .map(host -> new Address(host.name(), host.port()))
            .toList();
    this.query = parts.parameters(PARAMETERS);
  }

  /**
   * Reads a URL.
   *
   * @throws IllegalArgumentException if it is malformed, saying what would be right
   */
  static RedisSettings parse(String url) {
    return new RedisUrl(url).settings();
  }

  private RedisSettings settings() {
    String login = parts.login();
    int colon = login.indexOf(':');
    String user = colon < 0 ? login : login.substring(0, colon);
    String password = colon < 0 ? "" : login.substring(colon + 1);
    if (colon < 0 && !login.isEmpty()) {
      throw new IllegalArgumentException(
          "what stands before the @ must be :password or user:password");
    }
    Duration timeout = duration("timeout", TIMEOUT);
    return new RedisSettings(
        topology,
        addresses,
        decode(user),
        decode(password),
        database(),
        tls(),
        master(),
        sentinel("sentinelUser"),
        sentinel("sentinelPassword"),
        timeout,
        duration("connectTimeout", CONNECT_TIMEOUT),
        new Replication(replicas(), duration("replicaTimeout", REPLICA_TIMEOUT)).checked(timeout),
        loss(),
        push());
  }

  private Topology topology(String scheme) {
    if (scheme.endsWith("-sentinel")) {
      return Topology.SENTINEL;
    }
    return parts.isList() || scheme.endsWith("-cluster") ? Topology.CLUSTER : Topology.SINGLE;
  }

  private int database() {
    String path = parts.path();
    if (path.isEmpty() || path.equals("/")) {
      return 0;
    }
    if (!path.matches("/\\d{1,6}")) {
      throw new IllegalArgumentException(
          "what stands behind the host must be the number of a database, as in /0");
    }
    int database = Integer.parseInt(path.substring(1));
    if (topology == Topology.CLUSTER && database != 0) {
      throw new IllegalArgumentException("a cluster has only database 0");
    }
    return database;
  }

  private String master() {
    String master = query.getOrDefault("master", parts.fragment());
    if (topology != Topology.SENTINEL) {
      if (!master.isEmpty()) {
        throw new IllegalArgumentException("only redis-sentinel:// needs the name of a master");
      }
    } else if (master.isEmpty()) {
      throw new IllegalArgumentException(
          "redis-sentinel:// needs the name under which the Sentinels know the master, as in"
              + " ?master=mymaster");
    } else if (!master.matches("[A-Za-z0-9._-]+")) { // Sentinels take no other; it is shown
      throw new IllegalArgumentException(
          "the name of a master has letters, digits and . - _, as in ?master=mymaster; a # in a"
              + " user or password is written %23");
    }
    return master;
  }

  private @Nullable String sentinel(String name) {
    String value = query.get(name);
    if (value != null && topology != Topology.SENTINEL) {
      throw new IllegalArgumentException(name + " is only for redis-sentinel://");
    }
    if (value != null && !query.containsKey("sentinelPassword")) {
      throw new IllegalArgumentException(name + " needs a sentinelPassword beside it");
    }
    return value;
  }

  private RedisSettings.@Nullable Tls tls() {
    if (!isTls) {
      for (String name : TLS_PARAMETERS) {
        if (query.containsKey(name)) {
          throw new IllegalArgumentException(name + " is only for rediss://, that is, TLS");
        }
      }
      return null;
    }
    SslVerifyMode verification = verification();
    if (verification == SslVerifyMode.NONE && query.containsKey("ca")) {
      throw new IllegalArgumentException(
          "ca has no effect with verifyPeer=false: leave one of them out");
    }
    return new RedisSettings.Tls(verification, new RenewedTls(TlsFiles.of(query)));
  }

  private SslVerifyMode verification() {
    String mode = query.getOrDefault("verifyPeer", "true");
    return switch (mode) {
      case "true" -> SslVerifyMode.FULL;
      case "ca" -> SslVerifyMode.CA;
      case "false" -> SslVerifyMode.NONE;
      default ->
          throw new IllegalArgumentException("verifyPeer must be true, ca or false, was " + mode);
    };
  }

  private LossRule loss() {
    LossRule rule = LossRule.OF_URLS.with(afterLoss());
    if (!query.containsKey("quarantine")) {
      return rule;
    }
    if (rule.afterLoss() != AfterLoss.ASK || topology == Topology.CLUSTER) {
      throw new IllegalArgumentException(
          "quarantine is only for afterLoss=ask, and not for a cluster: leave it out");
    }
    return rule.with(duration("quarantine", LossRule.QUARANTINE));
  }

  private AfterLoss afterLoss() {
    String mode = query.getOrDefault("afterLoss", "ask");
    if (topology == Topology.CLUSTER && query.containsKey("afterLoss") && !mode.equals("grant")) {
      throw new IllegalArgumentException(
          "a cluster does not wait after a loss: leave afterLoss out, or say afterLoss=grant");
    }
    return switch (mode) {
      case "ask" -> AfterLoss.ASK;
      case "wait" -> AfterLoss.WAIT;
      case "grant" -> AfterLoss.GRANT;
      default ->
          throw new IllegalArgumentException("afterLoss must be ask, wait or grant, was " + mode);
    };
  }

  private boolean push() {
    String mode = query.getOrDefault("push", "on");
    return switch (mode) {
      case "on" -> true;
      case "off" -> false;
      default -> throw new IllegalArgumentException("push must be on or off, was " + mode);
    };
  }

  private int replicas() {
    String text = query.getOrDefault("replicas", "0");
    if (!text.matches("\\d{1,2}")) {
      throw new IllegalArgumentException("replicas must be a number from 0 to 99, was " + text);
    }
    return Integer.parseInt(text);
  }

  private Duration duration(String name, Duration otherwise) {
    return StoreUrl.duration(name, query.get(name), otherwise);
  }

  private static @Nullable String decode(String text) {
    return text.isEmpty() ? null : StoreUrl.decode(text);
  }
}
