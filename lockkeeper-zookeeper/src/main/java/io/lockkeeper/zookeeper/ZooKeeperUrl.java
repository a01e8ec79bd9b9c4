package io.lockkeeper.zookeeper;

import io.lockkeeper.zookeeper.ZooKeeperSettings.Access;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads URLs of ZooKeeper ensembles.
 *
 * <pre>
 *   zookeeper://[user:password@]host[:port][,host[:port]...][/path][?name=value&amp;...]
 * </pre>
 *
 * <p>No message made here quotes what may be a password: a slip of the hand can make one look like
 * a host, a path or a parameter.
 */
final class ZooKeeperUrl {

  static final String EXAMPLE = "zookeeper://localhost:2181";

  private static final Set<String> PARAMETERS =
      new TreeSet<>(Set.of("timeout", "connectTimeout", "sessionTimeout", "acl"));
  private static final int PORT = 2181;
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  /** One and a half times the default lease: so the end of a session frees what it held. */
  private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(45);

  private static final String ROOT = "/lockkeeper";
  private static final Pattern URL =
      Pattern.compile(
          "(?<scheme>[^:/]+)://(?:(?<login>[^/?#]*)@)?(?<hosts>[^/?#@]*)(?<path>/[^?#]*)?"
              + "(?:\\?(?<query>[^#]*))?",
          Pattern.DOTALL);
  private static final Pattern WORD = Pattern.compile("[A-Za-z]{1,30}");
  private static final Pattern HOST =
      Pattern.compile("(?:\\[(?<v6>[0-9A-Fa-f:.]+)]|(?<name>[^:\\[\\]\\s]+))(?::(?<port>\\d+))?");
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m)");

  private final Matcher parts;
  private final List<String> hosts;
  private final Map<String, String> query;

  private ZooKeeperUrl(String url) {
    this.parts = URL.matcher(url);
    if (!parts.matches() || !part("scheme").equalsIgnoreCase("zookeeper")) {
      throw new IllegalArgumentException(
          "a ZooKeeper URL looks like zookeeper://host1:2181,host2:2181/path?sessionTimeout=45s");
    }
    checkThatTheLoginIsWhole();
    this.hosts = hosts();
    this.query = query(part("query"));
  }

  /**
   * Reads a URL.
   *
   * @throws IllegalArgumentException if it is malformed, saying what would be right
   */
  static ZooKeeperSettings parse(String url) {
    return new ZooKeeperUrl(url).settings();
  }

  /** A password with a slash in it would be taken for the path, with the true hosts behind it. */
  private void checkThatTheLoginIsWhole() {
    if ((part("path") + part("query")).contains("@")) {
      throw new IllegalArgumentException(
          "an @ behind the hosts must be written as %40; and in a user or password / as %2F, ? as"
              + " %3F and # as %23");
    }
  }

  private ZooKeeperSettings settings() {
    String login = part("login");
    int colon = login.indexOf(':');
    if (!login.isEmpty() && colon < 1) {
      throw new IllegalArgumentException("what stands before the @ must be user:password");
    }
    String user = login.isEmpty() ? "" : decode(login.substring(0, colon));
    String password = login.isEmpty() ? "" : decode(login.substring(colon + 1));
    return new ZooKeeperSettings(
        String.join(",", hosts),
        root(),
        user,
        password,
        access(!user.isEmpty()),
        duration("timeout", TIMEOUT),
        duration("connectTimeout", CONNECT_TIMEOUT),
        duration("sessionTimeout", SESSION_TIMEOUT));
  }

  private List<String> hosts() {
    List<String> hosts = new ArrayList<>();
    String list = part("hosts");
    for (String host : list.split(",", -1)) {
      // Behind a colon may stand a password whose @ was forgotten.
      String named = list.contains(":") ? "host " + (hosts.size() + 1) : "'" + host + "'";
      Matcher matcher = HOST.matcher(host);
      if (!matcher.matches()) {
        throw new IllegalArgumentException(
            named
                + " is not a host; it must be like localhost, localhost:2181 or [::1]:2181, and a"
                + " user and password before it end with an @");
      }
      String v6 = matcher.group("v6");
      String port = matcher.group("port");
      String name = v6 == null ? matcher.group("name") : "[" + v6 + "]";
      hosts.add(name + ":" + (port == null ? PORT : port(named, port)));
    }
    return hosts;
  }

  private static int port(String host, String digits) {
    int port = digits.length() > 5 ? 0 : Integer.parseInt(digits);
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("the port of " + host + " must be from 1 to 65535");
    }
    return port;
  }

  private String root() {
    String path = part("path");
    if (path.isEmpty() || path.equals("/")) {
      return ROOT;
    }
    if (!path.matches("(/[A-Za-z0-9_.:-]+)+") || path.matches(".*/\\.{1,2}(/.*)?")) {
      throw new IllegalArgumentException(
          "the path must be like /apps/locks, of letters, digits and _ . : -");
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
    String text = query.get(name);
    if (text == null) {
      return otherwise;
    }
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches() || matcher.group(1).matches("0+")) {
      throw new IllegalArgumentException(name + " must be like 500ms, 3s or 1m, was " + text);
    }
    long number = Long.parseLong(matcher.group(1));
    Duration duration =
        switch (matcher.group(2)) {
          case "ms" -> Duration.ofMillis(number);
          case "s" -> Duration.ofSeconds(number);
          default -> Duration.ofMinutes(number);
        };
    if (duration.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException(name + " must be a day at most, was " + text);
    }
    return duration;
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
      if (query.put(sides[0], decode(sides[1])) != null) {
        throw new IllegalArgumentException("parameter " + sides[0] + " is there twice");
      }
    }
    return query;
  }

  private String part(String name) {
    String part = parts.group(name);
    return part == null ? "" : part;
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "a percent sign in the user, the password or a value must be written as %25");
    }
  }
}
