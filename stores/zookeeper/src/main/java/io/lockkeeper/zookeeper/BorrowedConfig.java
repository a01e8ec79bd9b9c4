package io.lockkeeper.zookeeper;

import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/** A configuration that has what another one has, unless it is set here. */
final class BorrowedConfig extends ZKClientConfig {

  /** Null while the superclass makes itself. */
  private final @Nullable ZKClientConfig other;

  BorrowedConfig(ZKClientConfig other) {
    this.other = other;
  }

  @Override
  public @Nullable String getProperty(String key) {
    String own = super.getProperty(key);
    return own != null || other == null ? own : other.getProperty(key);
  }

  @Override
  public @Nullable String getProperty(String key, @Nullable String otherwise) {
    String set = getProperty(key);
    return set == null ? otherwise : set;
  }
}
