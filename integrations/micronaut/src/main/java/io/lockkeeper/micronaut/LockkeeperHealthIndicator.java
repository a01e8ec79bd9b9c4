package io.lockkeeper.micronaut;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.integration.HealthCheck;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.env.Environment;
import io.micronaut.core.async.publisher.AsyncSingleResultPublisher;
import io.micronaut.core.util.StringUtils;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.management.health.indicator.annotation.Readiness;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import org.reactivestreams.Publisher;

/**
 * Up if the store answers; a part of the readiness and not of the liveness, because a restart of
 * the application brings no store back.
 */
@Singleton
@Readiness
@Requires(classes = HealthIndicator.class)
@Requires(
    property = "endpoints.health.lockkeeper.enabled",
    value = StringUtils.TRUE,
    defaultValue = StringUtils.TRUE)
final class LockkeeperHealthIndicator implements HealthIndicator {

  private static final String NAME = "lockkeeper";

  /** While a restarted store grants nothing. */
  private static final HealthStatus OUT_OF_SERVICE =
      new HealthStatus("OUT_OF_SERVICE", null, false, 500);

  private final HealthCheck check;
  private final ExecutorService executor;

  LockkeeperHealthIndicator(
      HealthCheck check, @Named(TaskExecutors.BLOCKING) ExecutorService executor) {
    this.check = check;
    this.executor = executor;
  }

  @Override
  public Publisher<HealthResult> getResult() {
    return new AsyncSingleResultPublisher<>(executor, this::result);
  }

  private HealthResult result() {
    try {
      Map<String, Object> details = check.call();
      boolean grants = !details.containsKey(HealthCheck.REASON);
      return HealthResult.builder(NAME, grants ? HealthStatus.UP : OUT_OF_SERVICE)
          .details(details)
          .build();
    } catch (RuntimeException e) {
      return HealthResult.builder(NAME, HealthStatus.DOWN).exception(e).build();
    }
  }

  /** Makes the check, which listens to the client from its start. */
  @Factory
  @Requires(classes = HealthIndicator.class)
  static final class Checks {

    @Singleton
    HealthCheck lockkeeperHealthCheck(
        BeanProvider<Lockkeeper> keeper,
        LockkeeperConfiguration configuration,
        Environment environment) {
      return new HealthCheck(keeper::get, configuration.namespace(environment));
    }
  }
}
