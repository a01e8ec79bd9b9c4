package io.lockkeeper.quarkus;

import io.lockkeeper.integration.HealthCheck;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Map;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;

/**
 * Up if the store answers and grants; a part of the readiness and not of the liveness, because a
 * restart of the application brings no store back. SmallRye Health makes it a bean.
 */
@Readiness
@ApplicationScoped
public class LockkeeperReadiness implements org.eclipse.microprofile.health.HealthCheck {

  private static final String NAME = "lockkeeper";

  private final HealthCheck check;

  /** Creates the check. */
  @Inject
  public LockkeeperReadiness(HealthCheck check) {
    this.check = check;
  }

  @Override
  public HealthCheckResponse call() {
    HealthCheckResponseBuilder response = HealthCheckResponse.named(NAME);
    try {
      Map<String, Object> details = check.call();
      details.forEach((name, value) -> response.withData(name, String.valueOf(value)));
      return response.status(!details.containsKey(HealthCheck.REASON)).build();
    } catch (RuntimeException e) {
      return response.withData("error", String.valueOf(e)).down().build();
    }
  }
}
