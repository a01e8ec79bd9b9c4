package io.lockkeeper.engine;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.StoreFactory;

/** One client. */
public final class Engine {
  private Engine() {}

  /** Opens a client. */
  public static Lockkeeper open(EngineConfig config, Environment environment, StoreFactory factory) {
    throw new UnsupportedOperationException();
  }
}
