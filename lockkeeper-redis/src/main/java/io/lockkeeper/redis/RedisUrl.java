package io.lockkeeper.redis;

import io.lettuce.core.SslVerifyMode;
import io.lockkeeper.redis.RedisSettings.Topology;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads URLs of Redis servers.
 *
 * <pre>
 *   scheme://[[user]:password@]host[:port][,host[:port]...][/database][?name=value&amp;...][#master]
 * </pre>
 *
 * <p>{@link java.net.URI} cannot read a list of hosts, and its complaints quote the whole URL with
 * the password in it. No message made here quotes what may be a password: a slip of the hand can
 * make one look like a host, a path or a parameter.
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
      new TreeSet<>(
          Set.of(
              "timeout",
              "connectTimeout",
              "replicas",
              "replicaTimeout",
              "master",
              "verifyPeer",
              "afterLoss",
              "push"));

  private static final int PORT = 6379;
  private static final int SENTINEL_PORT = 26379;
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  /** Longer than a request's: the first connection of a process also loads the driver. */
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private static final Duration REPLICA_TIMEOUT = Duration.ofSeconds(1);

  private static final Pattern URL =
      Pattern.compile(
          "(?<scheme>[^:/]+)://(?:(?<login>[^/?#]*)@)?(?<hosts>[^/?#@]*)(?:/(?<path>[^?#]*))?"
              + "(?:\\?(?<query>[^#]*))?(?:#(?<fragment>.*))?",
          Pattern.DOTALL);
  private static final Pattern WORD = Pattern.compile("[A-Za-z]{1,30}");
  private static final Pattern HOST =
      Pattern.compile("(?:\\[(?<v6>[0-9A-Fa-f:.]+)]|(?<name>[^:\\[\\]\\s]+))(?::(?<port>\\d+))?");
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m)");

  private final Topology topology;
  private final boolean isTls;
  private final Matcher parts;
  private final List<Address> addresses;
  private final Map<String, String> query;

  private RedisUrl(String url) {
    this.parts = URL.matcher(url);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "a Redis URL looks like redis://host:6379 or redis://:password@host:6379/0?timeout=3s");
    }
    String scheme = part("scheme").toLowerCase(Locale.ROOT);
    if (!SCHEMES.contains(scheme)) {
      throw new IllegalArgumentException("unknown scheme " + scheme + "; known: " + SCHEMES);
    }
    this.isTls = scheme.startsWith("rediss");
    this.topology = topology(scheme);
    checkThatTheLoginIsWhole();
    this.addresses = addresses();
    this.query = query(part("query"));
  }

  /**
   * Reads a URL.
   *
   * @throws IllegalArgumentException if it is malformed, saying what would be right
   */
  static RedisSettings parse(String url) {
    return new RedisUrl(url).settings();
  }

  /** A password with a slash in it would be taken for the path, with the true hosts behind it. */
  private void checkThatTheLoginIsWhole() {
    if ((part("path") + part("query") + part("fragment")).contains("@")) {
      throw new IllegalArgumentException(
          "an @ behind the hosts must be written as %40; and in a user or password / as %2F, ? as"
              + " %3F and # as %23");
    }
  }

  private RedisSettings settings() {
    String login = part("login");
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
        verifyMode(),
        master(),
        timeout,
        duration("connectTimeout", CONNECT_TIMEOUT),
        new Replication(replicas(), duration("replicaTimeout", REPLICA_TIMEOUT)).checked(timeout),
        afterLoss(),
        push());
  }

  private Topology topology(String scheme) {
    if (scheme.endsWith("-sentinel")) {
      return Topology.SENTINEL;
    }
    boolean isList = part("hosts").contains(",");
    return isList || scheme.endsWith("-cluster") ? Topology.CLUSTER : Topology.SINGLE;
  }

  private List<Address> addresses() {
    List<Address> addresses = new ArrayList<>();
    int defaultPort = topology == Topology.SENTINEL ? SENTINEL_PORT : PORT;
    String hosts = part("hosts");
    for (String host : hosts.split(",", -1)) {
      // Behind a colon may stand a password whose @ was forgotten.
      String named = hosts.contains(":") ? "host " + (addresses.size() + 1) : "'" + host + "'";
      Matcher matcher = HOST.matcher(host);
      if (!matcher.matches()) {
        throw new IllegalArgumentException(
            named
                + " is not a host; it must be like localhost, localhost:6379 or [::1]:6379, and a"
                + " user and password before it end with an @");
      }
      String port = matcher.group("port");
      String v6 = matcher.group("v6");
      addresses.add(
          new Address(
              v6 == null ? matcher.group("name") : v6,
              port == null ? defaultPort : port(named, port)));
    }
    return List.copyOf(addresses);
  }

  private static int port(String host, String digits) {
    int port = digits.length() > 5 ? 0 : Integer.parseInt(digits);
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("the port of " + host + " must be from 1 to 65535");
    }
    return port;
  }

  private int database() {
    String path = part("path");
    if (path.isEmpty()) {
      return 0;
    }
    if (!path.matches("\\d{1,6}")) {
      throw new IllegalArgumentException(
          "what stands behind the host must be the number of a database, as in /0");
    }
    int database = Integer.parseInt(path);
    if (topology == Topology.CLUSTER && database != 0) {
      throw new IllegalArgumentException("a cluster has only database 0");
    }
    return database;
  }

  private String master() {
    String fragment = part("fragment");
    String master = query.getOrDefault("master", fragment);
    if (topology != Topology.SENTINEL) {
      if (!master.isEmpty()) {
        throw new IllegalArgumentException("only redis-sentinel:// needs the name of a master");
      }
    } else if (master.isEmpty()) {
      throw new IllegalArgumentException(
          "redis-sentinel:// needs the name under which the Sentinels know the master, as in"
              + " ?master=mymaster");
    }
    return master;
  }

  private @Nullable SslVerifyMode verifyMode() {
    if (!isTls) {
      if (query.containsKey("verifyPeer")) {
        throw new IllegalArgumentException("verifyPeer is only for rediss://, that is, TLS");
      }
      return null;
    }
    String mode = query.getOrDefault("verifyPeer", "true");
    return switch (mode) {
      case "true" -> SslVerifyMode.FULL;
      case "ca" -> SslVerifyMode.CA;
      case "false" -> SslVerifyMode.NONE;
      default ->
          throw new IllegalArgumentException("verifyPeer must be true, ca or false, was " + mode);
    };
  }

  private AfterLoss afterLoss() {
    String mode = query.getOrDefault("afterLoss", "wait");
    return switch (mode) {
      case "wait" -> AfterLoss.WAIT;
      case "grant" -> AfterLoss.GRANT;
      default -> throw new IllegalArgumentException("afterLoss must be wait or grant, was " + mode);
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
    String text = query.get(name);
    if (text == null) {
      return otherwise;
    }
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches() || matcher.group(1).matches("0+")) {
      throw new IllegalArgumentException(name + " must be like 500ms, 3s or 1m, was " + text);
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      default -> Duration.ofMinutes(number);
    };
  }

  private static Map<String, String> query(String text) {
    Map<String, String> query = new HashMap<>();
    for (String parameter : text.isEmpty() ? new String[0] : text.split("&", -1)) {
      String[] sides = parameter.split("=", 2);
      if (!PARAMETERS.contains(sides[0])) {
        // What has no equals sign may be the rest of a password.
        boolean isName = sides.length == 2 && WORD.matcher(sides[0]).matches();
        throw new IllegalArgumentException(
            "unknown parameter"
                + (isName ? " " + sides[0] : "")
                + "; known: "
                + String.join(", ", PARAMETERS));
      }
      if (sides.length < 2 || sides[1].isEmpty()) {
        throw new IllegalArgumentException("parameter " + sides[0] + " needs a value");
      }
      String value = decode(sides[1]);
      if (query.put(sides[0], value == null ? "" : value) != null) {
        throw new IllegalArgumentException("parameter " + sides[0] + " is there twice");
      }
    }
    return query;
  }

  private String part(String name) {
    String part = parts.group(name);
    return part == null ? "" : part;
  }

  private static @Nullable String decode(String text) {
    if (text.isEmpty()) {
      return null;
    }
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "a percent sign in the user, the password or a value must be written as %25");
    }
  }
}
