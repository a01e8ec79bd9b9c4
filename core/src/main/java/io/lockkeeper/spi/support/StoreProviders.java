package io.lockkeeper.spi.support;

import io.lockkeeper.spi.StoreProvider;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds the kinds of store: those of the thread's context class loader, and then those beside this
 * class. The context may be another application's, the system's or none, as in a thread of the
 * common pool in an application that is a single jar.
 */
public final class StoreProviders {

  private final List<StoreProvider> found = new ArrayList<>();
  private final List<ServiceConfigurationError> broken = new ArrayList<>();

  private StoreProviders() {}

  /** Finds all of them, once each. */
  public static StoreProviders all() {
    StoreProviders all = new StoreProviders();
    all.look(provider -> false);
    return all;
  }

  /** Returns the kind of store of a URL; empty if none knows its scheme. */
  public static Optional<StoreProvider> find(String url) {
    String scheme = scheme(url);
    return new StoreProviders().look(provider -> provider.schemes().contains(scheme));
  }

  /** Returns the scheme of a URL in lower case; empty if it has none. */
  public static String scheme(String url) {
    return url.substring(0, Math.max(0, url.indexOf(':'))).toLowerCase(Locale.ROOT);
  }

  /** Returns those that can be used. */
  public List<StoreProvider> usable() {
    return List.copyOf(found);
  }

  /** Returns why others cannot be used. */
  public List<ServiceConfigurationError> broken() {
    return List.copyOf(broken);
  }

  private Optional<StoreProvider> look(Predicate<StoreProvider> end) {
    Set<String> seen = new HashSet<>();
    List<ClassLoader> loaders = new ArrayList<>();
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    if (context != null) {
      loaders.add(context);
    }
    loaders.add(StoreProviders.class.getClassLoader());
    for (ClassLoader loader : loaders) {
      Iterator<ServiceLoader.Provider<StoreProvider>> there =
          ServiceLoader.load(StoreProvider.class, loader).stream().iterator();
      while (true) {
        try {
          if (!there.hasNext()) {
            break;
          }
          ServiceLoader.Provider<StoreProvider> next = there.next();
          if (seen.add(next.type().getName())) {
            StoreProvider provider = next.get();
            if (end.test(provider)) {
              return Optional.of(provider);
            }
            found.add(provider);
          }
        } catch (ServiceConfigurationError e) { // of another Lockkeeper, or something is missing
          broken.add(e);
        }
      }
    }
    return Optional.empty();
  }
}
