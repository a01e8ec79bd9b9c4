package io.lockkeeper.quarkus;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.micrometer.LockkeeperMetrics;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/**
 * Makes the metrics, which Quarkus binds to the registries of Micrometer; a bean if that is there.
 */
@Singleton
public class LockkeeperMetricsProducer {

  /** Creates the producer. */
  public LockkeeperMetricsProducer() {}

  /** Not a default bean: beside other binders Quarkus would not bind it. */
  @Produces
  @Singleton
  LockkeeperMetrics metrics() {
    return new LockkeeperMetrics();
  }

  void watch(@Observes StartupEvent start, LockkeeperMetrics metrics, Lockkeeper keeper) {
    metrics.watch(keeper);
  }
}
