package io.lockkeeper.examples.store;

import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.StoreProvider;
import java.util.Set;

/** Opens {@code maps:NAME}: the server that {@link MapsServer#named} returns for the name. */
public final class MapsStoreProvider implements StoreProvider {

  private static final String SCHEME = "maps";

  /** Creates it. */
  public MapsStoreProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of(SCHEME);
  }

  @Override
  public String example() {
    return "maps:test";
  }

  @Override
  public StoreFactory factory(String url) {
    String name = url.substring(url.indexOf(':') + 1);
    if (name.isBlank()) {
      throw new IllegalArgumentException(
          "a store on maps needs a name: maps:NAME, for example " + example());
    }
    return StoreFactory.at(SCHEME + ":" + name, MapsServer.named(name).factory());
  }
}
