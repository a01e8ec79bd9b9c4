package io.lockkeeper.micronaut;

import io.lockkeeper.LockListener;
import io.lockkeeper.LockObserver;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.micrometer.LockkeeperMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.env.Environment;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.StartupEvent;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Makes the client, unless the application has one of its own. It connects at the start, and is
 * closed with the context, after the beans that use it.
 */
@Factory
final class LockkeeperFactory {

  @Context
  @Bean(preDestroy = "close")
  @Requires(missingBeans = Lockkeeper.class)
  Lockkeeper lockkeeper(
      LockkeeperConfiguration configuration,
      Environment environment,
      List<LockListener> listeners,
      List<LockObserver> observers) {
    return Lockkeeper.fromProperties(
        configuration.texts(environment),
        builder -> {
          listeners.forEach(builder::listener);
          observers.forEach(builder::observer);
        });
  }

  /** Micronaut binds it to the registries that there are. */
  @Factory
  @Requires(classes = MeterRegistry.class)
  static final class Metrics {

    @Singleton
    @Requires(missingBeans = LockkeeperMetrics.class)
    LockkeeperMetrics lockkeeperMetrics() {
      return new LockkeeperMetrics();
    }

    /** Asks for the registry: Micronaut makes it, and binds to it, when it is first needed. */
    @Singleton
    ApplicationEventListener<StartupEvent> lockkeeperMetricsStart(
        LockkeeperMetrics metrics,
        BeanProvider<Lockkeeper> keeper,
        BeanProvider<MeterRegistry> registry) {
      return event -> {
        metrics.watch(keeper.get());
        registry.ifPresent(made -> {});
      };
    }
  }
}
