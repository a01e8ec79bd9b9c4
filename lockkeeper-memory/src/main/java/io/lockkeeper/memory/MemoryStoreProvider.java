package io.lockkeeper.memory;

import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.StoreProvider;
import io.lockkeeper.spi.TimeSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Knows {@code memory:NAME}: a server that all clients in this process who say the same name share.
 * It lives as long as the process.
 */
public final class MemoryStoreProvider implements StoreProvider {

  private static final String SCHEME = "memory";
  private static final TimeSource CLOCK = System::nanoTime;
  private static final Map<String, MemoryServer> SERVERS = new ConcurrentHashMap<>();

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
    return context ->
        SERVERS.computeIfAbsent(name, n -> new MemoryServer(CLOCK)).factory().open(context);
  }
}
