package io.lockkeeper.spring.boot3;

import java.util.Map;
import java.util.concurrent.Callable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Auto-configuration of the health indicator of Spring Boot 3. */
@AutoConfiguration(
    afterName = "io.lockkeeper.spring.boot.LockkeeperActuatorAutoConfiguration",
    beforeName =
        "org.springframework.boot.actuate.autoconfigure.health.HealthContributorAutoConfiguration")
@ConditionalOnBean(name = "lockkeeperHealthCheck")
public final class LockkeeperHealthAutoConfiguration {

  /** Creates the configuration. */
  public LockkeeperHealthAutoConfiguration() {}

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
  @ConditionalOnProperty(name = "management.health.lockkeeper.enabled", matchIfMissing = true)
  static class Boot3Health {

    @Bean
    @ConditionalOnMissingBean(name = "lockkeeperHealthIndicator")
    HealthIndicator lockkeeperHealthIndicator(
        @Qualifier("lockkeeperHealthCheck") Callable<Map<String, Object>> check) {
      return () -> {
        try {
          Map<String, Object> details = check.call();
          boolean grants = !details.containsKey("reason"); // it says why not
          return (grants ? Health.up() : Health.outOfService()).withDetails(details).build();
        } catch (Exception e) {
          return Health.down(e).build();
        }
      };
    }
  }
}
