package io.lockkeeper.lab.torture;

import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.StoreProvider;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * A store that is broken on purpose, at {@code divided:} and the URL of another one: each client
 * has a namespace of its own there, so that clients do not keep each other out.
 */
public final class DividedStore implements StoreProvider {

  private static final String SCHEME = "divided";

  /** Creates it; for the loader of services. */
  public DividedStore() {}

  @Override
  public Set<String> schemes() {
    return Set.of(SCHEME);
  }

  @Override
  public String example() {
    return "divided:memory:test";
  }

  @Override
  public StoreFactory factory(String url) {
    String whole = url.substring(SCHEME.length() + 1);
    String scheme = whole.substring(0, whole.indexOf(':'));
    StoreFactory factory =
        ServiceLoader.load(StoreProvider.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(provider -> provider.schemes().contains(scheme))
            .findFirst()
            .orElseThrow()
            .factory(whole);
    return context -> factory.open(divided(context));
  }

  private static StoreContext divided(StoreContext context) {
    return new StoreContext(
        context.client(),
        context.namespace() + "-" + context.clientId(),
        context.timings(),
        context.environment());
  }
}
