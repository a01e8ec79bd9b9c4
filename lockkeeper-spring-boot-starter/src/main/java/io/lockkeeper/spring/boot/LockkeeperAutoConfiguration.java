package io.lockkeeper.spring.boot;

import io.lockkeeper.LockListener;
import io.lockkeeper.LockObserver;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import io.lockkeeper.jdbc.JdbcStores;
import io.lockkeeper.jdbc.SqlFence;
import io.lockkeeper.micrometer.LockkeeperMetrics;
import io.lockkeeper.micrometer.ObservedLocks;
import io.lockkeeper.redis.RedisStores;
import io.lockkeeper.spring.EnableLocks;
import io.lockkeeper.spring.LockSettings;
import io.lockkeeper.spring.LockTemplate;
import io.lockkeeper.zookeeper.ZooKeeperStores;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.apache.curator.framework.CuratorFramework;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
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
  LockkeeperAutoConfiguration.ByUrl.class,
  LockkeeperAutoConfiguration.OnRedis.class,
  LockkeeperAutoConfiguration.OnJdbc.class,
  LockkeeperAutoConfiguration.OnZooKeeper.class,
  LockkeeperAutoConfiguration.Fence.class,
  LockkeeperAutoConfiguration.Metrics.class,
  LockkeeperAutoConfiguration.Observations.class
})
public final class LockkeeperAutoConfiguration {

  /** Creates the configuration. */
  public LockkeeperAutoConfiguration() {}

  /** This and what follows say where the locks are: the first that applies, in their order. */
  @Order(1)
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty("lockkeeper.url")
  @ConditionalOnMissingBean(LockkeeperConnectionDetails.class)
  static class ByUrl {

    @Bean
    LockkeeperConnectionDetails lockkeeperConnectionDetails(LockkeeperProperties properties) {
      String url = properties.getUrl();
      return builder -> builder.connect(url == null ? "" : url);
    }
  }

  @Order(2)
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({RedisStores.class, LettuceConnectionFactory.class})
  @ConditionalOnProperty(name = "lockkeeper.store", havingValue = "redis", matchIfMissing = true)
  @ConditionalOnSingleCandidate(LettuceConnectionFactory.class)
  @ConditionalOnMissingBean(LockkeeperConnectionDetails.class)
  static class OnRedis {

    @Bean
    LockkeeperConnectionDetails lockkeeperConnectionDetails(LettuceConnectionFactory redis) {
      return new ApplicationRedis(redis);
    }
  }

  @Order(3)
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(JdbcStores.class)
  @ConditionalOnProperty(name = "lockkeeper.store", havingValue = "jdbc", matchIfMissing = true)
  @ConditionalOnSingleCandidate(DataSource.class)
  @ConditionalOnMissingBean(LockkeeperConnectionDetails.class)
  static class OnJdbc {

    @Bean
    LockkeeperConnectionDetails lockkeeperConnectionDetails(DataSource source) {
      return builder -> builder.connect(JdbcStores.from(source));
    }
  }

  @Order(4)
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({ZooKeeperStores.class, CuratorFramework.class})
  @ConditionalOnProperty(
      name = "lockkeeper.store",
      havingValue = "zookeeper",
      matchIfMissing = true)
  @ConditionalOnSingleCandidate(CuratorFramework.class)
  @ConditionalOnMissingBean(LockkeeperConnectionDetails.class)
  static class OnZooKeeper {

    @Bean
    LockkeeperConnectionDetails lockkeeperConnectionDetails(CuratorFramework curator) {
      return builder -> builder.connect(ZooKeeperStores.from(curator));
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

  private static @Nullable String namespace(
      LockkeeperProperties properties, Environment environment) {
    String namespace = properties.getNamespace();
    String application = environment.getProperty("spring.application.name");
    if (StringUtils.hasText(namespace)) {
      return namespace;
    }
    return StringUtils.hasText(application) ? application : null;
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Lockkeeper lockkeeper(
      LockkeeperProperties properties,
      ObjectProvider<LockkeeperConnectionDetails> details,
      ObjectProvider<LockListener> listeners,
      ObjectProvider<LockObserver> observers,
      ObjectProvider<LockkeeperCustomizer> customizers,
      Environment environment) {
    LockkeeperConnectionDetails store = details.getIfAvailable();
    if (store == null) {
      throw new NoLockStoreException();
    }
    LockkeeperBuilder builder = Lockkeeper.builder();
    set(namespace(properties, environment), builder::namespace);
    switch (properties.getConnect()) {
      case EAGER -> {}
      case LAZY -> builder.connectAtFirstUse();
      case BACKGROUND -> builder.connectLater();
    }
    LockkeeperProperties.Deadlocks deadlocks = properties.getDeadlocks();
    set(properties.getClientName(), builder::clientName);
    set(properties.getLease(), builder::lease);
    set(properties.getRenewalInterval(), builder::renewalInterval);
    set(properties.getStoreTimeout(), builder::storeTimeout);
    set(deadlocks.getCheck(), builder::deadlockCheck);
    builder.deadlockDetection(deadlocks.isDetect()).breakDeadlocks(deadlocks.isBreakCycles());
    properties.getLocks().forEach((names, lock) -> builder.lockOptions(names, lock.options()));
    listeners.orderedStream().forEach(builder::listener);
    observers.orderedStream().forEach(builder::observer);
    customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
    return store.connect(builder);
  }

  private static <T> void set(@Nullable T value, Consumer<T> setter) {
    if (value != null) {
      setter.accept(value);
    }
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
