package io.lockkeeper.spi.support;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a URL of a store on several hosts.
 *
 * <pre>
 *   scheme://[login@]host[:port][,host[:port]...][/path][?name=value&amp;...][#fragment]
 * </pre>
 *
 * <p>{@link java.net.URI} cannot read a list of hosts, and its complaints quote the whole URL with
 * the password in it. No message made here quotes what may be a password: a slip of the hand can
 * make one look like a host, a path or a parameter. Each is an {@link IllegalArgumentException}
 * that says what would be right.
 */
public final class StoreUrl {

  /**
   * A host.
   *
   * @param name its name or address, without brackets
   * @param port its port
   */
  public record Host(String name, int port) {

    /** Returns it as it stands in a URL. */
    @Override
    public String toString() {
      return (name.contains(":") ? "[" + name + "]" : name) + ":" + port;
    }
  }

  /**
   * A user and a password.
   *
   * @param user the name, decoded; empty for nobody
   * @param password the password, decoded
   */
  public record Login(String user, String password) {

    @Override
    public String toString() {
      return user;
    }
  }

  private static final Pattern URL =
      Pattern.compile(
          "(?<scheme>[^:/]+)://(?:(?<login>[^/?#]*)@)?(?<hosts>[^/?#@]*)(?<path>/[^?#]*)?"
              + "(?:\\?(?<query>[^#]*))?(?:#(?<fragment>.*))?",
          Pattern.DOTALL);

  /** Settings of a client, which some look for in the URL. */
  private static final Set<String> OF_CLIENTS = Set.of("lease", "namespace");

  private static final Pattern WORD = Pattern.compile("[A-Za-z]{1,30}");
  private static final Pattern HOST =
      Pattern.compile("(?:\\[(?<v6>[0-9A-Fa-f:.]+)]|(?<name>[^:\\[\\]\\s]+))(?::(?<port>\\d+))?");

  private static final Duration SHORTEST_LIMIT = Duration.ofMillis(1);
  private static final Duration LONGEST_LIMIT = Duration.ofHours(24);

  private final Matcher parts;

  private StoreUrl(Matcher parts) {
    this.parts = parts;
  }

  /**
   * Takes a URL apart.
   *
   * @param looksLike what is said if it cannot be
   */
  public static StoreUrl read(String url, String looksLike) {
    Matcher parts = URL.matcher(url);
    if (!parts.matches()) {
      throw new IllegalArgumentException(looksLike);
    }
    return new StoreUrl(parts);
  }

  /** Returns the scheme as it is written. */
  public String scheme() {
    return part("scheme");
  }

  /** Returns what stands before the hosts, not decoded; empty if there is nothing. */
  public String login() {
    return part("login");
  }

  /** Returns who logs in, where that is a user with a password. */
  public Login userAndPassword() {
    String login = login();
    int colon = login.indexOf(':');
    if (login.isEmpty()) {
      return new Login("", "");
    } else if (colon < 1) {
      throw new IllegalArgumentException("what stands before the @ must be user:password");
    }
    return new Login(decode(login.substring(0, colon)), decode(login.substring(colon + 1)));
  }

  /** Returns the path with its slash, not decoded; empty if there is none. */
  public String path() {
    return part("path");
  }

  /** Returns the fragment, not decoded; empty if there is none. */
  public String fragment() {
    return part("fragment");
  }

  /** Returns whether there is more than one host. */
  public boolean isList() {
    return part("hosts").contains(",");
  }

  private String part(String name) {
    String part = parts.group(name);
    return part == null ? "" : part;
  }

  /**
   * Returns the hosts.
   *
   * @param defaultPort the port of those that name none
   * @param examplePort a port for the message
   */
  public List<Host> hosts(int defaultPort, int examplePort) {
    checkThatTheLoginIsWhole();
    List<Host> hosts = new ArrayList<>();
    String list = part("hosts");
    for (String host : list.split(",", -1)) {
      // Behind a colon may stand a password whose @ was forgotten.
      String named =
          !list.contains(":")
              ? "'" + host + "'"
              : list.contains(",") ? "host " + (hosts.size() + 1) + " of the list" : "the address";
      Matcher matcher = HOST.matcher(host);
      if (!matcher.matches()) {
        String example = "localhost:" + examplePort + " or [::1]:" + examplePort;
        throw new IllegalArgumentException(
            named
                + " is no host and port; write them like localhost, "
                + example
                + ", with an @ behind a user and password");
      }
      String v6 = matcher.group("v6");
      String port = matcher.group("port");
      hosts.add(
          new Host(
              v6 == null ? matcher.group("name") : v6,
              port == null ? defaultPort : port(named, port)));
    }
    return hosts;
  }

  /** A password with a slash in it would be taken for the path, with the true hosts behind it. */
  private void checkThatTheLoginIsWhole() {
    if ((path() + part("query") + fragment()).contains("@")) {
      throw new IllegalArgumentException(
          "an @ behind the hosts must be written as %40; and in a user or password / as %2F, ? as"
              + " %3F and # as %23");
    }
  }

  private static int port(String host, String digits) {
    int port = digits.length() > 5 ? 0 : Integer.parseInt(digits);
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("the port of " + host + " must be from 1 to 65535");
    }
    return port;
  }

  /**
   * Returns the parameters, decoded.
   *
   * @param known those that there may be
   */
  public Map<String, String> parameters(Collection<String> known) {
    Map<String, String> parameters = new HashMap<>();
    String query = part("query");
    for (String parameter : query.isEmpty() ? new String[0] : query.split("&", -1)) {
      String[] sides = parameter.split("=", 2);
      if (!known.contains(sides[0])) {
        // What has no equals sign may be the rest of a password.
        boolean isName = sides.length == 2 && WORD.matcher(sides[0]).matches();
        throw new IllegalArgumentException(
            "unknown parameter"
                + (isName ? " " + sides[0] : "")
                + "; known: "
                + (known.isEmpty() ? "none" : String.join(", ", new TreeSet<>(known)))
                + (isName && OF_CLIENTS.contains(sides[0])
                    ? "; " + sides[0] + " is set at LockkeeperBuilder, or as lockkeeper." + sides[0]
                    : ""));
      }
      if (sides.length < 2 || sides[1].isEmpty()) {
        throw new IllegalArgumentException("parameter " + sides[0] + " needs a value");
      }
      if (parameters.put(sides[0], decode(sides[1])) != null) {
        throw new IllegalArgumentException("parameter " + sides[0] + " is there twice");
      }
    }
    return parameters;
  }

  /**
   * Reads the value of a parameter that is a {@linkplain DurationText duration}; null counts as
   * {@code otherwise}.
   */
  public static Duration duration(String name, @Nullable String text, Duration otherwise) {
    if (text == null) {
      return otherwise;
    }
    Duration duration;
    try {
      duration = DurationText.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + " " + e.getMessage() + ", was " + text, e);
    }
    return checkLimit(name, duration);
  }

  /**
   * Returns a time limit of a store, which can then be added to an instant.
   *
   * @throws IllegalArgumentException if it is not from 1 millisecond to 24 hours
   */
  public static Duration checkLimit(String name, Duration limit) {
    if (limit.compareTo(SHORTEST_LIMIT) < 0 || limit.compareTo(LONGEST_LIMIT) > 0) {
      throw new IllegalArgumentException(
          name + " must be from 1 ms to 24 h, was " + DurationText.of(limit));
    }
    return limit;
  }

  /** Decodes a user, a password or a value. */
  public static String decode(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "a percent sign in the user, the password or a value must be written as %25");
    }
  }
}
