package io.lockkeeper.engine.runtime;

import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.StoreProvider;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Finds the kinds of store on the class path or module path. */
public final class Providers {

  private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]*");

  private Providers() {}

  /**
   * Returns the factory for a URL.
   *
   * @throws IllegalArgumentException if nobody knows its scheme
   */
  public static StoreFactory find(String url) {
    int colon = url.indexOf(':');
    String scheme = colon < 0 ? "" : url.substring(0, colon).toLowerCase(Locale.ROOT);
    Map<String, String> examples = new TreeMap<>();
    for (StoreProvider provider : ServiceLoader.load(StoreProvider.class)) {
      if (provider.schemes().contains(scheme)) {
        return provider.factory(url);
      }
      provider.schemes().forEach(known -> examples.put(known, provider.example()));
    }
    throw new IllegalArgumentException(unknown(scheme, examples));
  }

  private static String unknown(String scheme, Map<String, String> examples) {
    String problem =
        !SCHEME.matcher(scheme).matches() // it may be the password of a URL without one
            ? "a store URL begins with a scheme and a colon"
            : "no store knows the URL scheme '" + scheme + "'";
    if (examples.isEmpty()) {
      return problem + "; no store module is on the class path: add one, such as lockkeeper-redis";
    }
    return problem
        + "; known schemes: "
        + String.join(", ", examples.keySet())
        + "; for example "
        + examples.values().iterator().next();
  }
}
