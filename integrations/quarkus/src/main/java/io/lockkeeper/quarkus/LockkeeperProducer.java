package io.lockkeeper.quarkus;

import io.lockkeeper.LockListener;
import io.lockkeeper.LockObserver;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.integration.HealthCheck;
import io.quarkus.arc.All;
import io.quarkus.arc.DefaultBean;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;

/**
 * Makes the client, unless the application has one of its own. It connects at the start, and is
 * closed with the container.
 */
@Singleton
public class LockkeeperProducer {

  private final LockkeeperConfiguration configuration;
  private final Config config;

  /** Creates the producer. */
  @Inject
  public LockkeeperProducer(LockkeeperConfiguration configuration, Config config) {
    this.configuration = configuration;
    this.config = config;
  }

  private Optional<String> namespace() {
    return configuration
        .namespace()
        .or(() -> config.getOptionalValue("quarkus.application.name", String.class));
  }

  @Produces
  @Singleton
  @DefaultBean
  Lockkeeper lockkeeper(@All List<LockListener> listeners, @All List<LockObserver> observers) {
    return Lockkeeper.fromProperties(
        Settings.of(configuration, namespace()),
        builder -> {
          listeners.forEach(builder::listener);
          observers.forEach(builder::observer);
        });
  }

  /**
   * Makes the client of this or of the application, before what the application does at its start.
   */
  void start(
      @Observes @Priority(Interceptor.Priority.LIBRARY_BEFORE) StartupEvent start,
      Lockkeeper keeper) {
    // A singleton that is a parameter is made. @Startup would make one beside the application's.
  }

  void close(@Disposes Lockkeeper keeper) {
    keeper.close();
  }

  @Produces
  @Singleton
  HealthCheck healthCheck(Instance<Lockkeeper> keeper) {
    return new HealthCheck(keeper::get, namespace().orElse(null));
  }
}
