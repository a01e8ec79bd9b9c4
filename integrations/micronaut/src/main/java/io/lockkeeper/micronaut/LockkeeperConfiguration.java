package io.lockkeeper.micronaut;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.context.env.Environment;
import io.micronaut.context.env.PropertySource;
import io.micronaut.context.env.PropertySource.PropertyConvention;
import io.micronaut.core.naming.NameUtils;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The properties {@code lockkeeper.*}, as texts: the core reads them, so that they mean the same
 * everywhere. {@code lockkeeper.locks.PATTERN.OPTION} is there too.
 *
 * @param url the address of the store
 * @param namespace separates these locks from others on the same store, by default {@code
 *     micronaut.application.name}
 * @param connect {@code eager}, {@code lazy} or {@code background}
 * @param clientName the name of this client, which people see at the store
 * @param lease how long a hold lasts without renewal
 * @param renewalInterval how often a hold is renewed
 * @param storeTimeout how long a wait goes on without any answer from the store
 * @param deadlocks the properties {@code lockkeeper.deadlocks.*}
 */
@ConfigurationProperties("lockkeeper")
public record LockkeeperConfiguration(
    @Nullable String url,
    @Nullable String namespace,
    @Nullable String connect,
    @Nullable String clientName,
    @Nullable String lease,
    @Nullable String renewalInterval,
    @Nullable String storeTimeout,
    Deadlocks deadlocks) {

  private static final String PREFIX = "lockkeeper.";

  /** Of lockkeeper-junit, which reads them as system properties. */
  private static final String TESTS = PREFIX + "test.";

  private static final Pattern LOCK = Pattern.compile("lockkeeper\\.locks\\.(.+)\\.([^.]+)");

  /**
   * The properties {@code lockkeeper.deadlocks.*}.
   *
   * @param detect whether deadlocks are looked for
   * @param check how long a thread that holds a lock waits for another before it checks
   * @param breakCycles whether a wait of this client may be ended to break a deadlock
   */
  @ConfigurationProperties("deadlocks")
  public record Deadlocks(
      @Nullable String detect, @Nullable String check, @Nullable String breakCycles) {}

  /** Returns the namespace, or null for that of clients without one. */
  @Nullable String namespace(Environment environment) {
    return namespace != null
        ? namespace
        : environment.getProperty("micronaut.application.name", String.class).orElse(null);
  }

  /**
   * Returns the settings of the client by their names in the core. Names that nothing reads are
   * among them, because the core refuses them; not those of environment variables, some of which
   * Kubernetes makes for a service that is called lockkeeper.
   */
  Map<String, String> texts(Environment environment) {
    Map<String, String> texts = new TreeMap<>();
    for (PropertySource source : environment.getPropertySources()) {
      if (source.getConvention() == PropertyConvention.JAVA_PROPERTIES) {
        for (String key : source) {
          Object value = source.get(key);
          if (value != null && key.startsWith(PREFIX) && !key.startsWith(TESTS)) {
            texts.put(
                name(key),
                environment
                    .getPlaceholderResolver()
                    .resolveRequiredPlaceholders(String.valueOf(value)));
          }
        }
      }
    }
    put(texts, "url", url);
    put(texts, "namespace", namespace(environment));
    put(texts, "connect", connect);
    put(texts, "client-name", clientName);
    put(texts, "lease", lease);
    put(texts, "renewal-interval", renewalInterval);
    put(texts, "store-timeout", storeTimeout);
    put(texts, "deadlocks.detect", deadlocks.detect);
    put(texts, "deadlocks.check", deadlocks.check);
    put(texts, "deadlocks.break-cycles", deadlocks.breakCycles);
    return texts;
  }

  private static void put(Map<String, String> texts, String name, @Nullable String value) {
    if (value != null) {
      texts.put(PREFIX + name, value);
    }
  }

  /** Returns the name of a property in the core, which has the patterns of locks in brackets. */
  private static String name(String key) {
    return key.startsWith(PREFIX + "locks")
        ? LOCK.matcher(key).replaceFirst("lockkeeper.locks[$1].$2")
        : NameUtils.hyphenate(key, true);
  }

  /** Leaves out the URL, which may have a password. */
  @Override
  public String toString() {
    return "LockkeeperConfiguration";
  }
}
