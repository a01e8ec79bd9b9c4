package io.lockkeeper.jdbc;

import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.StoreProvider;
import java.util.Set;

/** Knows the URLs of databases. */
public final class JdbcStoreProvider implements StoreProvider {

  /** Creates it. */
  public JdbcStoreProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("jdbc");
  }

  @Override
  public String example() {
    return "jdbc:postgresql://localhost/app?user=app";
  }

  @Override
  public StoreFactory factory(String url) {
    throw new UnsupportedOperationException();
  }
}
