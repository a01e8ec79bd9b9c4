package io.lockkeeper.spring.boot;

import io.lockkeeper.LockkeeperBuilder;

/**
 * Changes the settings of the client before it connects, after the properties. Declare beans of
 * this type; they are called in their order.
 */
@FunctionalInterface
public interface LockkeeperCustomizer {

  /** Changes the settings. */
  void customize(LockkeeperBuilder builder);
}
