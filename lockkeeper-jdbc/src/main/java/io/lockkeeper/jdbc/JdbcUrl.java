package io.lockkeeper.jdbc;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads URLs of databases. They are the drivers' own; parameters whose names begin with {@code
 * lockkeeper.} are this library's and not shown to the driver.
 *
 * <p>No message made here quotes more than the part that is wrong.
 */
final class JdbcUrl {

  /** The artifacts of the drivers, by what stands behind {@code jdbc:}. */
  private static final Map<String, String> DRIVERS =
      new TreeMap<>(
          Map.of(
              "postgresql", "org.postgresql:postgresql",
              "mysql", "com.mysql:mysql-connector-j",
              "mariadb", "org.mariadb.jdbc:mariadb-java-client",
              "sqlite", "org.xerial:sqlite-jdbc"));

  private static final String OWN = "lockkeeper.";
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m)");
  private static final Pattern LOGIN = Pattern.compile("//([^/?#@]*)@");
  private static final Pattern SECRET =
      Pattern.compile("(?i)(?:password|pwd|passwd|secret|token)[^=?&;]*=([^&;]*)");

  /** The URL without this library's parameters. */
  final String url;

  /** What stands behind {@code jdbc:}. */
  final String product;

  final Settings settings;

  private JdbcUrl(String url, String product, Settings settings) {
    this.url = url;
    this.product = product;
    this.settings = settings;
  }

  /**
   * Reads a URL.
   *
   * @throws IllegalArgumentException if it is malformed, saying what would be right
   */
  static JdbcUrl parse(String text) {
    String[] parts = text.split(":", 3);
    String product = parts.length < 3 ? "" : parts[1].toLowerCase(Locale.ROOT);
    if (!DRIVERS.containsKey(product)) {
      throw new IllegalArgumentException(
          "a JDBC URL must begin with jdbc: and one of "
              + String.join(", ", DRIVERS.keySet())
              + ", as in jdbc:postgresql://localhost/app?user=app");
    }
    int mark = text.indexOf('?');
    String address = mark < 0 ? text : text.substring(0, mark);
    if (product.equals("sqlite")) {
      checkFile(address.substring("jdbc:sqlite:".length()));
    }
    List<String> theirs = new ArrayList<>();
    Settings settings = Settings.DEFAULT;
    for (String parameter : mark < 0 ? new String[0] : text.substring(mark + 1).split("&", -1)) {
      if (parameter.startsWith(OWN)) {
        settings = with(settings, parameter.substring(OWN.length()));
      } else {
        theirs.add(parameter);
      }
    }
    String url = theirs.isEmpty() ? address : address + "?" + String.join("&", theirs);
    return new JdbcUrl(url, product, settings);
  }

  private static void checkFile(String file) {
    if (file.isEmpty() || file.startsWith(":memory:") || file.contains("mode=memory")) {
      throw new IllegalArgumentException(
          "jdbc:sqlite: needs a file, as in jdbc:sqlite:/var/lib/app/locks.db: what is in memory"
              + " is not shared");
    }
  }

  private static Settings with(Settings settings, String parameter) {
    String[] sides = parameter.split("=", 2);
    String value = sides.length < 2 ? "" : sides[1];
    return switch (sides[0]) {
      case "timeout" -> settings.withTimeout(duration(value));
      case "tables" -> settings.withTables(tables(value));
      case "connections" -> settings.withConnections(number(value));
      case "push" -> settings.withPush(isOn(value));
      default ->
          throw new IllegalArgumentException(
              "unknown parameter "
                  + OWN
                  + sides[0]
                  + "; known: lockkeeper.connections, lockkeeper.push, lockkeeper.tables,"
                  + " lockkeeper.timeout");
    };
  }

  private static Duration duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "lockkeeper.timeout must be like 500ms, 3s or 1m, was " + text);
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      default -> Duration.ofMinutes(number);
    };
  }

  private static Tables tables(String text) {
    return switch (text) {
      case "create" -> Tables.CREATE;
      case "expect" -> Tables.EXPECT;
      default ->
          throw new IllegalArgumentException(
              "lockkeeper.tables must be create or expect, was " + text);
    };
  }

  private static int number(String text) {
    if (!text.matches("\\d{1,3}")) {
      throw new IllegalArgumentException(
          "lockkeeper.connections must be a number from 1 to 100, was " + text);
    }
    return Integer.parseInt(text);
  }

  private static boolean isOn(String text) {
    return switch (text) {
      case "on" -> true;
      case "off" -> false;
      default ->
          throw new IllegalArgumentException("lockkeeper.push must be on or off, was " + text);
    };
  }

  /** Returns the artifact of the driver, as {@code group:name}. */
  String driver() {
    return String.valueOf(DRIVERS.get(product));
  }

  /** Returns where the database is, without any secret. */
  String describe() {
    return describe(url);
  }

  /** Returns where the database of a driver's URL is, without any secret. */
  static String describe(String url) {
    // Where the question mark was forgotten, parameters begin with another separator, or none.
    String address = SECRET.matcher(url.split("[?;&]", 2)[0]).replaceAll("***");
    return LOGIN.matcher(address).replaceAll("//");
  }

  /** Returns a text with the secrets of the URL taken out. */
  String hide(String text) {
    return secrets(url).stream()
        .filter(secret -> !secret.isEmpty())
        .reduce(text, (left, secret) -> left.replace(secret, "***"));
  }

  private static List<String> secrets(String url) {
    List<String> secrets = new ArrayList<>();
    Matcher parameter = SECRET.matcher(url);
    while (parameter.find()) {
      secrets.add(parameter.group(1));
      secrets.add(decode(parameter.group(1)));
    }
    Matcher login = LOGIN.matcher(url);
    if (login.find() && login.group(1).contains(":")) {
      String password = login.group(1).split(":", 2)[1];
      secrets.addAll(Arrays.asList(password, decode(password)));
    }
    return secrets;
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return text;
    }
  }

  @Override
  public String toString() {
    return describe();
  }
}
