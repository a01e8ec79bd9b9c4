package io.lockkeeper.engine;

import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.StoreProvider;
import java.util.Set;

/** The store of the core's own tests, found by its URL. */
public final class TestProvider implements StoreProvider {

  @Override
  public Set<String> schemes() {
    return Set.of("scripted", "scripted+tls");
  }

  @Override
  public String example() {
    return "scripted:anything";
  }

  @Override
  public StoreFactory factory(String url) {
    return context -> ScriptedStore.obliging();
  }
}
