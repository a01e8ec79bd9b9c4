package io.lockkeeper.zookeeper;

import org.jspecify.annotations.Nullable;

/** Sessions of a client that never gets one. */
final class NoSessions implements Sessions {

  @Override
  public @Nullable Session current() {
    return null;
  }

  @Override
  public void close() {}
}
