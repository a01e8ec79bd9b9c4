package io.lockkeeper.spring.boot;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.console.ConsoleOptions;
import io.lockkeeper.console.ConsoleStore;
import io.lockkeeper.console.ConsoleView;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the console's page, if its module and the actuator are there. It shows the
 * stores of all clients of the application.
 */
@AutoConfiguration(after = LockkeeperAutoConfiguration.class)
@ConditionalOnClass(
    value = ConsoleView.class,
    name = {
      "org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint",
      "org.springframework.boot.actuate.autoconfigure.endpoint.condition"
          + ".ConditionalOnAvailableEndpoint"
    })
@ConditionalOnBean(Lockkeeper.class)
@ConditionalOnAvailableEndpoint(endpoint = LockkeeperConsoleEndpoint.class)
public final class LockkeeperConsoleAutoConfiguration {

  private static final System.Logger LOG = System.getLogger("io.lockkeeper.console");

  /** Creates the configuration. */
  public LockkeeperConsoleAutoConfiguration() {}

  @Bean
  ConsoleView lockkeeperConsoleView(
      Map<String, Lockkeeper> keepers,
      ObjectProvider<EndpointAccessResolver> access,
      Environment environment) {
    EndpointId id = EndpointId.of(LockkeeperConsoleEndpoint.ID);
    EndpointAccessResolver resolver = access.getIfAvailable();
    boolean mayChange =
        resolver != null && resolver.accessFor(id, Access.READ_ONLY) == Access.UNRESTRICTED;
    ConsoleOptions options = ConsoleOptions.defaults();
    List<ConsoleStore> stores =
        keepers.entrySet().stream()
            .map(bean -> new ConsoleStore(bean.getKey(), bean.getValue()))
            .toList();
    return new ConsoleView(
        environment.getProperty("spring.application.name", "Lockkeeper"),
        stores,
        mayChange
            ? options.withRelease(line -> LOG.log(System.Logger.Level.WARNING, line))
            : options);
  }

  @Bean
  LockkeeperConsoleEndpoint lockkeeperConsoleEndpoint(
      ConsoleView view, ObjectProvider<ConsoleStreams> streams) {
    return new LockkeeperConsoleEndpoint(view, streams.getIfAvailable());
  }

  /** The events where Spring MVC serves the endpoints, and not Jersey. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
  @ConditionalOnClass(name = "org.springframework.web.servlet.DispatcherServlet")
  static final class ServletConfiguration {

    @Bean
    ConsoleStreams lockkeeperConsoleStreams(ConsoleView view) {
      return new ServletConsoleStreams(view);
    }
  }

  /** The events where WebFlux serves the endpoints. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
  static final class ReactiveConfiguration {

    @Bean
    ConsoleStreams lockkeeperConsoleStreams(ConsoleView view) {
      return new ReactiveConsoleStreams(view);
    }
  }
}
