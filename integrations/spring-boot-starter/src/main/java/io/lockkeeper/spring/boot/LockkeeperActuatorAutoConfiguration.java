package io.lockkeeper.spring.boot;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.integration.HealthCheck;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of what the actuator shows. The health indicator of Spring Boot 3, whose class
 * has another name, is in {@code lockkeeper-spring-boot-3}.
 */
@AutoConfiguration(
    after = LockkeeperAutoConfiguration.class,
    beforeName =
        "org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration")
@ConditionalOnClass(
    name = {
      "org.springframework.boot.actuate.endpoint.annotation.Endpoint",
      "org.springframework.boot.actuate.autoconfigure.endpoint.condition"
          + ".ConditionalOnAvailableEndpoint"
    })
@ConditionalOnSingleCandidate(Lockkeeper.class)
public final class LockkeeperActuatorAutoConfiguration {

  /** Creates the configuration. */
  public LockkeeperActuatorAutoConfiguration() {}

  @Bean
  HealthCheck lockkeeperHealthCheck(
      ObjectProvider<Lockkeeper> keeper, LockkeeperProperties properties, Environment environment) {
    return new HealthCheck(
        keeper::getObject, LockkeeperAutoConfiguration.namespace(properties, environment));
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnAvailableEndpoint
  LockkeeperEndpoint lockkeeperEndpoint(Lockkeeper keeper) {
    return new LockkeeperEndpoint(keeper);
  }

  @Bean
  @ConditionalOnProperty(name = "management.info.lockkeeper.enabled", matchIfMissing = true)
  InfoContributor lockkeeperInfoContributor(Lockkeeper keeper) {
    Map<String, String> client =
        Map.of("clientId", keeper.clientId(), "clientName", keeper.clientName());
    return builder -> builder.withDetail("lockkeeper", client);
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
  @ConditionalOnProperty(name = "management.health.lockkeeper.enabled", matchIfMissing = true)
  static class Boot4Health {

    @Bean
    @ConditionalOnMissingBean(name = "lockkeeperHealthIndicator")
    HealthIndicator lockkeeperHealthIndicator(HealthCheck check) {
      return () -> {
        try {
          Map<String, Object> details = check.call();
          boolean grants = !details.containsKey(HealthCheck.REASON);
          return (grants ? Health.up() : Health.outOfService()).withDetails(details).build();
        } catch (RuntimeException e) {
          return Health.down(e).build();
        }
      };
    }
  }
}
