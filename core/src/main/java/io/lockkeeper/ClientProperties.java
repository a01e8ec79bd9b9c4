package io.lockkeeper;

import io.lockkeeper.spi.support.DurationText;
import io.lockkeeper.spi.support.Spelling;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A client's settings as texts: the properties {@code lockkeeper.*}, by the names and with the
 * units that the Spring Boot starter gives them, or the environment variables {@code LOCKKEEPER_*}
 * that Spring Boot would take for these properties. No message repeats the value of the URL, nor
 * that of a property that is not known, which may be a URL under a wrong name.
 */
final class ClientProperties {

  private static final String PREFIX = "lockkeeper.";
  private static final String VARIABLE_PREFIX = "LOCKKEEPER_";
  private static final String URL = "url";
  private static final String RENEWAL_INTERVAL = "renewal-interval";
  private static final String BREAK_CYCLES = "deadlocks.break-cycles";

  private static final Map<String, BiConsumer<LockkeeperBuilder, String>> SETTINGS =
      Map.of(
          "connect",
          ClientProperties::connect,
          "namespace",
          LockkeeperBuilder::namespace,
          "client-name",
          LockkeeperBuilder::clientName,
          "lease",
          (builder, value) -> builder.lease(duration(value)),
          RENEWAL_INTERVAL,
          (builder, value) -> builder.renewalInterval(duration(value)),
          "store-timeout",
          (builder, value) -> builder.storeTimeout(duration(value)),
          "deadlocks.detect",
          (builder, value) -> builder.deadlockDetection(truth(value)),
          "deadlocks.check",
          (builder, value) -> builder.deadlockCheck(duration(value)),
          BREAK_CYCLES,
          (builder, value) -> builder.breakDeadlocks(truth(value)));

  private static final Map<String, BiFunction<LockOptions, String, LockOptions>> LOCK_OPTIONS =
      Map.of(
          "lease", (options, value) -> options.withLease(duration(value)),
          "max-local-handoffs", (options, value) -> options.withMaxLocalHandoffs(number(value)),
          "retention", (options, value) -> options.withRetention(duration(value)),
          "reentrant", (options, value) -> options.withReentrant(truth(value)),
          "confirmed-release", (options, value) -> options.withConfirmedRelease(truth(value)));

  private static final Pattern LOCK =
      Pattern.compile(
          "locks(?:\\[(?<pattern>.+)]|\\.(?<name>[A-Za-z0-9-]+))\\.(?<option>[^.\\[\\]]+)");
  private static final String SPRING_ONLY = "it is a property of the Spring Boot starter only";
  private static final Pattern SPRING =
      Pattern.compile("store(-bean)?|observations|(annotation|redis|jdbc)\\..*");

  private static final Pattern LOCK_VARIABLE =
      Pattern.compile("LOCKS_(?<name>[A-Z0-9]+)_(?<option>[A-Z_]+)");

  /** Variables that Kubernetes sets in each pod if a service is called lockkeeper. */
  private static final Pattern KUBERNETES =
      Pattern.compile("SERVICE_(HOST|PORT(_.*)?)|PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?");

  /** Variables of the command line, for the programs that it runs. */
  private static final Set<String> COMMAND_LINE = Set.of("NAME", "TOKEN", "JAVA");

  private final Map<String, String> given = new TreeMap<>();

  /** The variables that the properties come from; empty if they come from elsewhere. */
  private final Map<String, String> variables = new TreeMap<>();

  private final LockkeeperBuilder builder = new LockkeeperBuilder();

  /** In the order of their patterns: the same properties always make the same client. */
  private final Map<String, LockOptions> locks = new TreeMap<>();

  private ClientProperties() {}

  /** Returns what {@code properties} and their defaults have, if all of ours is text. */
  static Map<String, String> texts(Properties properties) {
    properties.forEach(
        (key, value) -> {
          if (key instanceof String name && name.startsWith(PREFIX) && !(value instanceof String)) {
            throw new IllegalArgumentException(
                name + " must be a text, is a " + value.getClass().getName());
          }
        });
    Map<String, String> texts = new TreeMap<>();
    properties.stringPropertyNames().forEach(name -> texts.put(name, properties.getProperty(name)));
    return texts;
  }

  /** Reads a file, whose name says what format it has. */
  static Map<String, String> read(Path file) throws IOException {
    if (file.toString().endsWith(".yaml") || file.toString().endsWith(".yml")) {
      try {
        return YamlFile.read(file);
      } catch (NoClassDefFoundError e) {
        throw new IllegalStateException(
            "to read "
                + file
                + " add org.yaml:snakeyaml to the class path; a file that ends in .properties needs"
                + " nothing",
            e);
      }
    }
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
    }
    return texts(properties);
  }

  static Lockkeeper connect(
      Map<String, String> properties, Consumer<? super LockkeeperBuilder> customizer) {
    ClientProperties settings = new ClientProperties();
    properties.forEach(
        (key, value) -> {
          Objects.requireNonNull(value, key);
          if (key.startsWith(PREFIX)) {
            settings.given.put(key.substring(PREFIX.length()), value.strip());
          }
        });
    customizer.accept(settings.builder);
    return settings.connect();
  }

  static Lockkeeper connectBy(Map<String, String> environment) {
    ClientProperties settings = new ClientProperties();
    settings.variables.put(URL, VARIABLE_PREFIX + "URL");
    new TreeMap<>(environment)
        .forEach(
            (name, value) -> {
              Objects.requireNonNull(value, name);
              if (name.startsWith(VARIABLE_PREFIX)) {
                settings.add(name, value.strip());
              }
            });
    return settings.connect();
  }

  private void add(String variable, String value) {
    String name = variable.substring(VARIABLE_PREFIX.length());
    if (COMMAND_LINE.contains(name) || KUBERNETES.matcher(name).matches()) {
      return;
    }
    String key = key(name);
    if (given.containsKey(key)) {
      throw new IllegalArgumentException(
          variables.get(key) + " and " + variable + " are the same setting: give one of them");
    }
    variables.put(key, variable);
    given.put(key, value);
  }

  /** Returns the property of a variable. */
  private static String key(String variable) {
    Matcher lock = LOCK_VARIABLE.matcher(variable);
    if (lock.matches()) {
      for (String option : LOCK_OPTIONS.keySet()) {
        if (isVariable(lock.group("option"), option)) {
          return "locks." + lock.group("name").toLowerCase(Locale.ROOT) + "." + option;
        }
      }
    }
    Set<String> known = new TreeSet<>(SETTINGS.keySet());
    known.add(URL);
    for (String key : known) {
      if (isVariable(variable, key)) {
        return key;
      }
    }
    String instead;
    if (variable.startsWith("LOCKS_")) {
      instead =
          "it must be "
              + VARIABLE_PREFIX
              + "LOCKS_NAME_OPTION, for a name of letters and digits, which then are small ones;"
              + " others can be given by properties. The options are "
              + all(LOCK_OPTIONS);
    } else if (variable.matches("STORE(_?BEAN)?|OBSERVATIONS|(ANNOTATION|REDIS|JDBC)_.*")) {
      instead = SPRING_ONLY;
    } else {
      instead =
          meant(variable, known, key -> VARIABLE_PREFIX + variable(key))
              + known.stream()
                  .map(key -> VARIABLE_PREFIX + variable(key))
                  .collect(Collectors.joining(", "));
    }
    throw new IllegalArgumentException(
        VARIABLE_PREFIX + printable(variable) + " is not known; " + instead);
  }

  /** Returns whether Spring Boot takes the variable for the property: it has two ways to write. */
  private static boolean isVariable(String variable, String key) {
    return variable.equals(variable(key)) || variable.equals(variable(key.replace("-", "")));
  }

  private static String variable(String key) {
    return key.replaceAll("[.-]", "_").toUpperCase(Locale.ROOT);
  }

  private Lockkeeper connect() {
    given.forEach(this::set);
    locks.forEach(builder::lockOptions);
    check(RENEWAL_INTERVAL, builder::checkedRenewalInterval);
    check(BREAK_CYCLES, builder::checkDeadlocks);
    String url = given.getOrDefault(URL, "");
    if (url.isEmpty()) {
      throw new IllegalArgumentException(
          name(URL) + " is missing: the store's address, such as redis://localhost:6379");
    }
    try {
      return builder.connect(url);
    } catch (IllegalArgumentException e) { // its messages contain no password
      throw new IllegalArgumentException(name(URL) + ": " + e.getMessage(), e);
    }
  }

  private void set(String key, String value) {
    Matcher lock = LOCK.matcher(key);
    BiConsumer<LockkeeperBuilder, String> setting = SETTINGS.get(key);
    if (setting != null) {
      check(key, () -> setting.accept(builder, value));
    } else if (lock.matches()) {
      String pattern = lock.group("pattern") == null ? lock.group("name") : lock.group("pattern");
      BiFunction<LockOptions, String, LockOptions> option = LOCK_OPTIONS.get(lock.group("option"));
      if (option == null) {
        throw unknown(key, "the options of locks are " + all(LOCK_OPTIONS));
      }
      check(
          key,
          () ->
              locks.put(
                  pattern,
                  option.apply(locks.getOrDefault(pattern, LockOptions.defaults()), value)));
    } else if (key.startsWith("locks")) {
      throw unknown(
          key,
          "it must be "
              + PREFIX
              + "locks[PATTERN].OPTION, where a properties file has \\: for a colon; the options"
              + " are "
              + all(LOCK_OPTIONS));
    } else if (SPRING.matcher(key).matches()) {
      throw unknown(key, SPRING_ONLY);
    } else if (!key.equals(URL)) {
      Set<String> known = new TreeSet<>(SETTINGS.keySet());
      known.add(URL);
      throw unknown(
          key,
          meant(key, known, PREFIX::concat)
              + URL
              + ", "
              + all(SETTINGS)
              + ", locks[PATTERN].OPTION");
    }
  }

  /** Takes a setting, unless it is empty; complains with the name and the value. */
  private void check(String key, Runnable setting) {
    String value = given.getOrDefault(key, "");
    if (!value.isEmpty()) {
      try {
        setting.run();
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "%s is '%s': %s".formatted(name(key), printable(value), e.getMessage()), e);
      }
    }
  }

  private static String meant(String given, Set<String> known, UnaryOperator<String> name) {
    return Spelling.nearest(given, known)
        .map(near -> "did you mean " + name.apply(near) + "? Known are ")
        .orElse("known are ");
  }

  private IllegalArgumentException unknown(String key, String instead) {
    return new IllegalArgumentException(name(key) + " is not known; " + instead);
  }

  private String name(String key) {
    return variables.getOrDefault(key, PREFIX + printable(key));
  }

  private static String all(Map<String, ?> known) {
    return String.join(", ", new TreeSet<>(known.keySet()));
  }

  private static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  // ---------------------------------------------------------------- values

  private static void connect(LockkeeperBuilder builder, String value) {
    switch (value.toLowerCase(Locale.ROOT)) {
      case "background" -> builder.connectLater();
      case "lazy" -> builder.connectAtFirstUse();
      case "eager" -> {}
      default -> throw new IllegalArgumentException("it must be eager, lazy or background");
    }
  }

  private static boolean truth(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "true", "on", "yes", "1" -> true;
      case "false", "off", "no", "0" -> false;
      default -> throw new IllegalArgumentException("it must be true or false");
    };
  }

  private static int number(String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("it must be a whole number", e);
    }
  }

  private static Duration duration(String value) {
    try {
      return DurationText.parse(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("it " + e.getMessage(), e);
    }
  }
}
