package io.lockkeeper.jdbc;

import io.lockkeeper.spi.support.DurationText;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads URLs of databases. They are the drivers' own; parameters whose names begin with {@code
 * lockkeeper.} are this library's and not shown to the driver.
 *
 * <p>Nothing said here quotes what may be a password: of an address only what was recognised is
 * repeated.
 */
final class JdbcUrl {

  /** The parameter of PostgreSQL's driver for what makes its sockets. */
  static final String SOCKET_FACTORY = "socketFactory";

  /** The parameter of MySQL's and MariaDB's drivers for several statements at once. */
  private static final String MANY_AT_ONCE = "allowMultiQueries";

  /**
   * A driver.
   *
   * @param artifact its artifact, as {@code group:name}
   * @param className the name of its class
   */
  record KnownDriver(String artifact, String className) {}

  /** The drivers, by what stands behind {@code jdbc:}. */
  private static final Map<String, KnownDriver> DRIVERS =
      new TreeMap<>(
          Map.of(
              "postgresql",
              new KnownDriver("org.postgresql:postgresql", "org.postgresql.Driver"),
              "mysql",
              new KnownDriver("com.mysql:mysql-connector-j", "com.mysql.cj.jdbc.Driver"),
              "mariadb",
              new KnownDriver("org.mariadb.jdbc:mariadb-java-client", "org.mariadb.jdbc.Driver"),
              "sqlite",
              new KnownDriver("org.xerial:sqlite-jdbc", "org.sqlite.JDBC"),
              "h2",
              new KnownDriver("com.h2database:h2", "org.h2.Driver")));

  private static final String OWN = "lockkeeper.";
  private static final long SHORTEST_CONNECT_SECONDS = 10;
  private static final Pattern LOGIN = Pattern.compile("//([^/?#@]*)@");

  /** An address that can be repeated without its login. What follows in the path is left out. */
  private static final Pattern ADDRESS =
      Pattern.compile(
          "(?i)jdbc:(?<product>[a-z]+)://(?:[^/?#]*@)?(?<hosts>[^/?#@]*)(?<database>/[\\w.$%-]*)?"
              + "[^@]*");

  private static final Pattern HOSTS =
      Pattern.compile("(?:(?:\\[[0-9A-Fa-f:.]+]|[\\w.-]+)(?::\\d{1,5})?,?)*");
  private static final Pattern FILE_SECRET =
      Pattern.compile("(?i)(?:password|pwd|passwd|secret|token|key)[^=:/]*[=:].*", Pattern.DOTALL);
  private static final Pattern WORD = Pattern.compile("^[\\w.-]{0,30}");
  private static final Pattern SECRET =
      Pattern.compile("(?i)(?:password|pwd|passwd|secret|token)[^=?&;]*=([^&;]*)");

  /** The URL without this library's parameters. */
  final String url;

  /** The part behind {@code jdbc:}. */
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
    boolean isJdbc = parts.length == 3 && parts[0].equalsIgnoreCase("jdbc");
    String product = isJdbc ? parts[1].toLowerCase(Locale.ROOT) : "";
    if (!DRIVERS.containsKey(product)) {
      throw new IllegalArgumentException(
          "a JDBC URL must begin with jdbc: and one of "
              + String.join(", ", DRIVERS.keySet())
              + ", as in jdbc:postgresql://localhost/app?user=app");
    }
    String begin = product.equals("h2") ? ";" : "?";
    String separator = product.equals("h2") ? ";" : "&";
    int mark = text.indexOf(begin);
    String address = mark < 0 ? text : text.substring(0, mark);
    if (product.equals("sqlite")) {
      checkFile(address.substring("jdbc:sqlite:".length()));
    }
    if (product.equals("h2") && address.contains("?")) {
      throw new IllegalArgumentException(
          "parameters of jdbc:h2: follow a semicolon, as in jdbc:h2:mem:app;DB_CLOSE_DELAY=-1");
    }
    if (product.equals("postgresql")) {
      checkPostgres(address);
    }
    List<String> theirs = new ArrayList<>();
    Settings settings = Settings.DEFAULT;
    for (String parameter :
        mark < 0 ? new String[0] : text.substring(mark + 1).split(separator, -1)) {
      if (parameter.startsWith(OWN)) {
        settings = with(settings, parameter.substring(OWN.length()));
      } else {
        theirs.add(parameter);
      }
    }
    String url = theirs.isEmpty() ? address : address + begin + String.join(separator, theirs);
    return new JdbcUrl(url, product, settings);
  }

  /** The driver writes what it cannot read as a port to its log, which may be a password. */
  private static void checkPostgres(String url) {
    String address = url.split("[;&]", 2)[0];
    boolean hasHosts = address.startsWith("//", "jdbc:postgresql:".length());
    if (hasHosts && (address.contains("@") || !isRecognised(ADDRESS.matcher(address)))) {
      throw new IllegalArgumentException(
          "the hosts must be like jdbc:postgresql://host1:5432,host2:5432/app, with user and"
              + " password as parameters: ?user=app&password=...");
    }
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
      case "network" -> settings.withNetwork(isAllowed(value));
      case "push" -> settings.withPush(isOn(value));
      case "schema" -> settings.withSchema(value);
      case "replication" -> settings.withSynchronousReplication(isSynchronous(value));
      default ->
          throw new IllegalArgumentException(
              "unknown parameter "
                  + OWN
                  + shown(sides[0])
                  + "; known: lockkeeper.connections, lockkeeper.network, lockkeeper.push,"
                  + " lockkeeper.replication, lockkeeper.schema, lockkeeper.tables,"
                  + " lockkeeper.timeout");
    };
  }

  private static Duration duration(String text) {
    try {
      return DurationText.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "lockkeeper.timeout " + e.getMessage() + ", was " + shown(text), e);
    }
  }

  private static Tables tables(String text) {
    return switch (text) {
      case "create" -> Tables.CREATE;
      case "expect" -> Tables.EXPECT;
      default ->
          throw new IllegalArgumentException(
              "lockkeeper.tables must be create or expect, was " + shown(text));
    };
  }

  private static boolean isAllowed(String text) {
    return switch (text) {
      case "allow" -> true;
      case "refuse" -> false;
      default ->
          throw new IllegalArgumentException(
              "lockkeeper.network must be allow or refuse, was " + shown(text));
    };
  }

  private static int number(String text) {
    if (!text.matches("\\d{1,3}")) {
      throw new IllegalArgumentException(
          "lockkeeper.connections must be a number from 1 to 100, was " + shown(text));
    }
    return Integer.parseInt(text);
  }

  private static boolean isSynchronous(String text) {
    return switch (text) {
      case "synchronous" -> true;
      case "asynchronous" -> false;
      default ->
          throw new IllegalArgumentException(
              "lockkeeper.replication must be synchronous or asynchronous, was " + shown(text));
    };
  }

  private static boolean isOn(String text) {
    return switch (text) {
      case "on" -> true;
      case "off" -> false;
      default ->
          throw new IllegalArgumentException(
              "lockkeeper.push must be on or off, was " + shown(text));
    };
  }

  /** Returns the driver. */
  KnownDriver driver() {
    return Objects.requireNonNull(DRIVERS.get(product));
  }

  /**
   * Returns parameters for the driver about which the URL says nothing. They limit how long it
   * takes to connect: a server that accepts a connection and is silent then would keep a thread for
   * good. And they save round trips and pauses.
   */
  Properties additions() {
    long seconds = Math.max(SHORTEST_CONNECT_SECONDS, settings.timeout().toSeconds() + 1);
    String millis = String.valueOf(1_000 * seconds);
    Map<String, String> wanted =
        switch (product) {
          case "postgresql" ->
              Map.of(
                  "loginTimeout",
                  String.valueOf(seconds),
                  SOCKET_FACTORY,
                  PromptSocketFactory.class.getName());
          case "mysql" ->
              Map.of("connectTimeout", millis, "socketTimeout", millis, MANY_AT_ONCE, "true");
          case "mariadb" -> Map.of("connectTimeout", millis, MANY_AT_ONCE, "true");
          default -> Map.of();
        };
    Properties properties = new Properties();
    wanted.forEach(
        (name, value) -> {
          if (!says(name, "")) {
            properties.setProperty(name, value);
          }
        });
    return properties;
  }

  /**
   * Returns whether the driver sends statements with a semicolon between them at once, on MySQL and
   * MariaDB: where they are not prepared at the server.
   */
  boolean sendsJoined() {
    boolean isOfThese = product.equals("mysql") || product.equals("mariadb");
    return isOfThese && !says(MANY_AT_ONCE, "false") && !says("useServerPrepStmts", "true");
  }

  private boolean says(String parameter, String value) {
    return url.toLowerCase(Locale.ROOT)
        .contains((parameter + "=" + value).toLowerCase(Locale.ROOT));
  }

  /** Returns where the database is, without any secret. */
  String describe() {
    return describe(url);
  }

  /** Returns where the database of a driver's URL is, without any secret. */
  static String describe(String url) {
    // Where the question mark was forgotten, parameters begin with another separator, or none.
    String address = url.split("[?;&]", 2)[0];
    String[] parts = address.split(":", 3);
    if (isFile(address)) {
      return FILE_SECRET.matcher(address).replaceAll("***");
    }
    Matcher matcher = ADDRESS.matcher(address);
    if (!isRecognised(matcher)) {
      return "jdbc:"
          + (DRIVERS.containsKey(parts.length < 2 ? "" : parts[1]) ? parts[1] : "")
          + ":***";
    }
    String database = Objects.toString(matcher.group("database"), "");
    return "jdbc:" + matcher.group("product") + "://" + matcher.group("hosts") + database;
  }

  /** Returns whether an address names a file, or a database in memory, and no login. */
  private static boolean isFile(String address) {
    String start = address.toLowerCase(Locale.ROOT);
    return start.startsWith("jdbc:sqlite:")
        || (start.startsWith("jdbc:h2:") && !start.contains("@"));
  }

  private static boolean isRecognised(Matcher address) {
    return address.matches() && HOSTS.matcher(address.group("hosts")).matches();
  }

  /** Returns a text with the secrets of the URL taken out. */
  String hide(String text) {
    return secrets(url).stream()
        .filter(secret -> !secret.isEmpty())
        .sorted(Comparator.comparingInt(String::length).reversed()) // whole ones before their parts
        .reduce(text, (left, secret) -> left.replace(secret, "***"));
  }

  private static List<String> secrets(String url) {
    List<String> secrets = new ArrayList<>();
    Matcher parameter = SECRET.matcher(url);
    while (parameter.find()) {
      add(parameter.group(1), secrets);
    }
    Matcher login = LOGIN.matcher(url);
    if (login.find() && login.group(1).contains(":")) {
      add(login.group(1).split(":", 2)[1], secrets);
    }
    String address = url.split("[?;&]", 2)[0];
    if (!isFile(address) && !isRecognised(ADDRESS.matcher(address))) {
      // A driver may repeat it as a whole or cut at any of these characters.
      String[] parts = address.split(":", 3);
      String rest = parts[parts.length - 1];
      for (String ends : List.of("", "/", "[/@]", "[/@,]", "[/@,:#]")) {
        for (String piece : ends.isEmpty() ? new String[] {rest} : rest.split(ends, -1)) {
          if (piece.length() > 2) {
            add(piece, secrets);
          }
        }
      }
    }
    return secrets;
  }

  private static void add(String secret, List<String> secrets) {
    secrets.add(secret);
    secrets.add(decode(secret));
  }

  /** Returns the beginning of a value: an {@code &} may be missing behind it. */
  private static String shown(String text) {
    Matcher word = WORD.matcher(text);
    String shown = word.find() ? word.group() : "";
    return shown.length() < text.length() ? shown + "..." : shown;
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
