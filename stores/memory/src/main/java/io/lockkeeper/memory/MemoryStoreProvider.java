package io.lockkeeper.memory;

import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.StoreProvider;
import java.util.Set;

/** Knows {@code memory:NAME}: the server that {@link MemoryServer#named} returns for the name. */
public final class MemoryStoreProvider implements StoreProvider {

  private static final String SCHEME = "memory";

  /** Creates it. */
  public MemoryStoreProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of(SCHEME);
  }

  @Override
  public String example() {
    return "memory:test";
  }

  @Override
  public StoreFactory factory(String url) {
    String name = url.substring(url.indexOf(':') + 1);
    if (name.isBlank()) {
      throw new IllegalArgumentException(
          "a memory store needs a name: memory:NAME, for example " + example());
    }
    return StoreFactory.at(
        "memory:" + name, context -> MemoryServer.named(name).factory().open(context));
  }
}
