package io.lockkeeper.spring.boot;

import io.lockkeeper.LockListener;
import io.lockkeeper.LockObserver;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.jdbc.JdbcStores;
import io.lockkeeper.jdbc.SqlFence;
import io.lockkeeper.micrometer.LockkeeperMetrics;
import io.lockkeeper.micrometer.ObservedLocks;
import io.lockkeeper.redis.RedisStores;
import io.lockkeeper.spring.EnableLocks;
import io.lockkeeper.spring.LockSettings;
import io.lockkeeper.spring.LockTemplate;
import io.lockkeeper.spring.boot.LockkeeperProperties.StoreKind;
import io.lockkeeper.zookeeper.ZooKeeperStores;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.StringUtils;

/** Auto-configuration of a {@link Lockkeeper}, of {@link LockTemplate} and of the annotation. */
@AutoConfiguration(
    afterName = {
      // Boot 3.5
      "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
      // Boot 4
      "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"
    })
@EnableConfigurationProperties(LockkeeperProperties.class)
@Import({
  LockkeeperAutoConfiguration.Redis.class,
  LockkeeperAutoConfiguration.Jdbc.class,
  LockkeeperAutoConfiguration.ZooKeeper.class,
  LockkeeperAutoConfiguration.Fence.class,
  LockkeeperAutoConfiguration.Metrics.class,
  LockkeeperAutoConfiguration.Observations.class
})
public final class LockkeeperAutoConfiguration {

  private static final String UNUSABLE = "Lockkeeper cannot use its store: ";
  private static final String ADDRESS =
      "its address and its login: lockkeeper.url, or the properties of the application's own store"
          + " (spring.data.redis.*, spring.datasource.*)";

  /** Name of the bean that says where the locks are. */
  static final String DETAILS = "lockkeeperConnectionDetails";

  private static final System.Logger LOG = System.getLogger("io.lockkeeper.spring");

  /** Creates the configuration. */
  public LockkeeperAutoConfiguration() {}

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(RedisStores.class)
  @EnableConfigurationProperties(LockkeeperRedisProperties.class)
  static class Redis {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(LettuceConnectionFactory.class)
    @ImportRuntimeHints(ApplicationRedis.Hints.class)
    static class OfTheApplication {

      @Bean
      @Order(1)
      ApplicationStore<RedisConnectionFactory> lockkeeperRedis(
          LockkeeperRedisProperties properties, ListableBeanFactory beans) {
        return new ApplicationStore<>(
            StoreKind.REDIS,
            RedisConnectionFactory.class,
            (name, factory) -> ApplicationRedis.of(name, factory, properties, beans));
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(JdbcStores.class)
  @EnableConfigurationProperties(LockkeeperJdbcProperties.class)
  static class Jdbc {

    @Bean
    @Order(2)
    ApplicationStore<DataSource> lockkeeperJdbc(LockkeeperJdbcProperties properties) {
      return new ApplicationStore<>(
          StoreKind.JDBC,
          DataSource.class,
          (name, source) ->
              builder -> builder.connect(properties.applyTo(JdbcStores.from(source))));
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({ZooKeeperStores.class, CuratorFramework.class})
  static class ZooKeeper {

    @Bean
    @Order(3)
    ApplicationStore<CuratorFramework> lockkeeperZooKeeper() {
      return new ApplicationStore<>(
          StoreKind.ZOOKEEPER,
          CuratorFramework.class,
          (name, curator) -> builder -> builder.connect(ZooKeeperStores.from(curator)));
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(SqlFence.class)
  static class Fence {

    @Bean
    @ConditionalOnMissingBean
    SqlFence sqlFence(LockkeeperProperties properties, Environment environment) {
      String namespace = namespace(properties, environment);
      return namespace == null ? SqlFence.create() : SqlFence.create().withNamespace(namespace);
    }
  }

  /** Spring Boot binds it to the registries that there are. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  static class Metrics {

    @Bean
    @ConditionalOnMissingBean
    LockkeeperMetrics lockkeeperMetrics() {
      return new LockkeeperMetrics();
    }

    /** Tells the metrics of each client. */
    @Bean
    static BeanPostProcessor lockkeeperMetricsWatch(ObjectProvider<LockkeeperMetrics> metrics) {
      return new BeanPostProcessor() {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
          if (bean instanceof Lockkeeper keeper) {
            metrics.ifAvailable(all -> all.watch(keeper));
          }
          return bean;
        }
      };
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ObservationRegistry.class)
  @ConditionalOnProperty("lockkeeper.observations")
  static class Observations {

    @Bean
    @ConditionalOnMissingBean
    ObservedLocks observedLocks(ObservationRegistry registry) {
      return new ObservedLocks(registry);
    }
  }

  static @Nullable String namespace(LockkeeperProperties properties, Environment environment) {
    String namespace = properties.getNamespace();
    String application = environment.getProperty("spring.application.name");
    if (StringUtils.hasText(namespace)) {
      return namespace;
    }
    return StringUtils.hasText(application) ? application : null;
  }

  @Bean
  static PropertyCheck lockkeeperPropertyCheck(ConfigurableEnvironment environment) {
    return new PropertyCheck(environment);
  }

  /** Where the locks are: by the URL, or a store of the application's own. */
  @Bean(DETAILS)
  @ConditionalOnMissingBean({LockkeeperConnectionDetails.class, Lockkeeper.class})
  LockkeeperConnectionDetails lockkeeperConnectionDetails(
      LockkeeperProperties properties,
      ObjectProvider<UrlParameters> parameters,
      ObjectProvider<ApplicationStore<?>> stores,
      ConfigurableListableBeanFactory beans) {
    StoreKind kind = properties.getStore();
    String bean = properties.getStoreBean();
    String url = properties.getUrl();
    if (!StringUtils.hasText(url)) {
      return new StoreChoice(beans, stores.orderedStream().toList()).choose(kind, bean);
    }
    if (kind != null || StringUtils.hasText(bean)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "{0} has no effect, because lockkeeper.url is set too: remove one of them",
          kind != null ? "lockkeeper.store" : "lockkeeper.store-bean");
    }
    String address = url.strip();
    for (UrlParameters some : parameters) {
      address = some.addTo(address);
    }
    String withParameters = address;
    return builder -> builder.connect(withParameters);
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Lockkeeper lockkeeper(
      LockkeeperProperties properties,
      LockkeeperConnectionDetails store,
      ObjectProvider<LockListener> listeners,
      ObjectProvider<LockObserver> observers,
      ObjectProvider<LockkeeperCustomizer> customizers,
      Environment environment) {
    LockkeeperBuilder builder = Lockkeeper.builder();
    set(builder, "namespace", namespace(properties, environment), LockkeeperBuilder::namespace);
    switch (properties.getConnect()) {
      case EAGER -> {}
      case LAZY -> builder.connectAtFirstUse();
      case BACKGROUND -> builder.connectLater();
    }
    LockkeeperProperties.Deadlocks deadlocks = properties.getDeadlocks();
    set(builder, "client-name", properties.getClientName(), LockkeeperBuilder::clientName);
    set(builder, "lease", properties.getLease(), LockkeeperBuilder::lease);
    set(
        builder,
        "renewal-interval",
        properties.getRenewalInterval(),
        LockkeeperBuilder::renewalInterval);
    set(builder, "store-timeout", properties.getStoreTimeout(), LockkeeperBuilder::storeTimeout);
    set(builder, "deadlocks.check", deadlocks.getCheck(), LockkeeperBuilder::deadlockCheck);
    builder.deadlockDetection(deadlocks.isDetect()).breakDeadlocks(deadlocks.isBreakCycles());
    properties.options().forEach(builder::lockOptions);
    listeners.orderedStream().forEach(builder::listener);
    observers.orderedStream().forEach(builder::observer);
    customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
    try {
      return store.connect(builder);
    } catch (IllegalArgumentException e) {
      String property = property(String.valueOf(e.getMessage()), properties);
      String message = String.valueOf(e.getMessage());
      String change =
          message.contains("add the module io.lockkeeper:")
              ? "Add the module, or change "
              : "Change ";
      throw new StartException(property + ": " + message, change + property + ".", e);
    } catch (StoreUnavailableException e) {
      throw new StartException(
          UNUSABLE + e.getMessage(),
          "Start the store, or correct "
              + ADDRESS
              + ". With lockkeeper.connect=background the application starts without it.",
          e);
    } catch (StoreRefusedException e) {
      throw new StartException(
          UNUSABLE + e.getMessage(),
          e.problem() == StoreProblem.DENIED
              ? "Give the account this right, or correct " + ADDRESS + "."
              : "Do what the description says. If it is the wrong store, correct " + ADDRESS + ".",
          e);
    }
  }

  /** Returns the property that a message of the builder is about; it has no password. */
  private static String property(String message, LockkeeperProperties properties) {
    if (message.startsWith("renewalInterval")) {
      return "lockkeeper.renewal-interval";
    } else if (message.startsWith("breakDeadlocks")) {
      return "lockkeeper.deadlocks.break-cycles";
    }
    return StringUtils.hasText(properties.getUrl()) ? "lockkeeper.url" : "lockkeeper.*";
  }

  private static <T> void set(
      LockkeeperBuilder builder,
      String property,
      @Nullable T value,
      BiFunction<LockkeeperBuilder, T, LockkeeperBuilder> setter) {
    Setting.apply("lockkeeper." + property, value, builder, setter);
  }

  @Bean
  @ConditionalOnSingleCandidate(Lockkeeper.class)
  LockkeeperLifecycle lockkeeperLifecycle(Lockkeeper keeper) {
    return new LockkeeperLifecycle(keeper);
  }

  @Bean
  @ConditionalOnMissingBean
  LockSettings lockSettings(LockkeeperProperties properties) {
    return properties.settings();
  }

  @Bean
  @ConditionalOnMissingBean
  LockTemplate lockTemplate(Lockkeeper keeper, LockSettings settings) {
    return new LockTemplate(keeper, settings);
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty(name = "lockkeeper.annotation.enabled", matchIfMissing = true)
  @EnableLocks
  static class Annotations {}
}
