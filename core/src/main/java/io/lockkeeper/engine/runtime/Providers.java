package io.lockkeeper.engine.runtime;

import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.StoreProvider;
import io.lockkeeper.spi.support.Spelling;
import io.lockkeeper.spi.support.StoreProviders;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Finds the kind of store of a URL, or says which module to add. */
public final class Providers {

  private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]*");

  /** The modules of this project, by the schemes that they know; {@link #REDIS} has more. */
  private static final Map<String, String> MODULES =
      Map.of(
          "jdbc", "lockkeeper-jdbc",
          "zookeeper", "lockkeeper-zookeeper",
          "etcd", "lockkeeper-etcd",
          "etcds", "lockkeeper-etcd",
          "dynamodb", "lockkeeper-dynamodb",
          "memory", "lockkeeper-memory");

  private static final List<String> STORES =
      List.of("redis", "jdbc", "zookeeper", "etcd", "dynamodb", "memory");

  private static final Pattern DATABASE =
      Pattern.compile("postgres(ql)?|mysql|mariadb|sqlite|h2|r2dbc");

  private static final Pattern REDIS = Pattern.compile("rediss?(-sentinel|-cluster)?");
  private static final Pattern VALKEY = Pattern.compile("valkeys?(-sentinel|-cluster)?");

  /** A URL whose scheme was forgotten. */
  private static final Pattern HOST_AND_PORT = Pattern.compile("[^:/]+:[0-9]+(/.*)?");

  private Providers() {}

  /**
   * Returns the factory for a URL.
   *
   * @throws IllegalArgumentException if nobody knows its scheme
   */
  public static StoreFactory find(String url) {
    return StoreProviders.find(url)
        .map(provider -> provider.factory(url))
        .orElseThrow(() -> unknown(url));
  }

  private static IllegalArgumentException unknown(String url) {
    StoreProviders all = StoreProviders.all();
    Map<String, String> examples = new TreeMap<>();
    for (StoreProvider provider : all.usable()) {
      provider.schemes().forEach(known -> examples.put(known, provider.example()));
    }
    IllegalArgumentException unknown = new IllegalArgumentException(text(url, examples));
    all.broken().forEach(unknown::addSuppressed); // perhaps one of them would know it
    return unknown;
  }

  private static String text(String url, Map<String, String> examples) {
    String scheme = StoreProviders.scheme(url);
    String problem =
        !SCHEME.matcher(scheme).matches() // it may be the password of a URL without one
                || HOST_AND_PORT.matcher(url).matches()
            ? "a store URL begins with a scheme and a colon"
            : "no store knows the URL scheme '" + scheme + "'";
    if (VALKEY.matcher(scheme).matches()) {
      return problem
          + ": the URL of Valkey begins as that of Redis, "
          + scheme.replace("valkey", "redis");
    }
    String module = REDIS.matcher(scheme).matches() ? "lockkeeper-redis" : MODULES.get(scheme);
    if (module != null) {
      return problem + ": add the module io.lockkeeper:" + module + " to the class path";
    } else if (DATABASE.matcher(scheme).matches()) {
      return problem
          + ": the URL of a database is that of its JDBC driver, such as"
          + " jdbc:postgresql://localhost/app, and needs the module io.lockkeeper:lockkeeper-jdbc";
    } else if (examples.isEmpty()) {
      return problem + "; no store module is on the class path: add one, such as lockkeeper-redis";
    }
    String meant =
        Spelling.nearest(SCHEME.matcher(scheme).matches() ? scheme : "", examples.keySet())
            .map(near -> "; did you mean " + near + "? Known schemes: ")
            .orElse("; known schemes: ");
    return problem
        + meant
        + String.join(", ", examples.keySet())
        + "; for example "
        + examples.getOrDefault("redis", examples.values().iterator().next())
        + missing(examples.keySet());
  }

  /** Says how to add the stores that are not there: none for the command line, which has all. */
  private static String missing(Set<String> known) {
    List<String> stores = STORES.stream().filter(store -> !known.contains(store)).toList();
    return stores.isEmpty()
        ? ""
        : "; for "
            + String.join(", ", stores)
            + " add the module of the store, such as lockkeeper-"
            + stores.get(0);
  }
}
