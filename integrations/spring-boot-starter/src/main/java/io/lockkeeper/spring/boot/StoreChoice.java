package io.lockkeeper.spring.boot;

import io.lockkeeper.spring.boot.LockkeeperProperties.StoreKind;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.NamedBeanHolder;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Chooses the store among the beans of the application: the one that {@code lockkeeper.store-bean}
 * names, or the only one of the kind that {@code lockkeeper.store} names, or the only one of the
 * first kind that there is.
 */
final class StoreChoice {

  private static final System.Logger LOG = System.getLogger("io.lockkeeper.spring");

  /** The stores that an application may have, in the order in which one is chosen. */
  private enum Candidate {
    REDIS(
        "io.lockkeeper.redis.RedisStores",
        "org.springframework.data.redis.connection.RedisConnectionFactory"),
    JDBC("io.lockkeeper.jdbc.JdbcStores", "javax.sql.DataSource"),
    ZOOKEEPER(
        "io.lockkeeper.zookeeper.ZooKeeperStores", "org.apache.curator.framework.CuratorFramework");

    private final String stores;
    private final String type;

    Candidate(String stores, String type) {
      this.stores = stores;
      this.type = type;
    }

    boolean hasModule(ConfigurableListableBeanFactory beans) {
      return ClassUtils.isPresent(stores, beans.getBeanClassLoader());
    }

    List<String> beans(ConfigurableListableBeanFactory beans) {
      ClassLoader loader = beans.getBeanClassLoader();
      return ClassUtils.isPresent(type, loader)
          ? names(beans, ClassUtils.resolveClassName(type, loader))
          : List.of();
    }

    String describe(ConfigurableListableBeanFactory beans) {
      return ClassUtils.getShortName(type)
          + " "
          + String.join(", ", beans(beans))
          + (hasModule(beans) ? "" : " (" + module() + " is not on the class path)");
    }

    String module() {
      return "lockkeeper-" + name().toLowerCase(Locale.ROOT);
    }
  }

  private final ConfigurableListableBeanFactory beans;
  private final List<ApplicationStore<?>> stores;

  StoreChoice(ConfigurableListableBeanFactory beans, List<ApplicationStore<?>> stores) {
    this.beans = beans;
    this.stores = stores;
  }

  /** Returns whether the choice will be a database, before there are beans. */
  static boolean isDatabase(ConfigurableListableBeanFactory beans, Environment environment) {
    String url = environment.getProperty("lockkeeper.url", "");
    String bean = environment.getProperty("lockkeeper.store-bean", "");
    String kind = environment.getProperty("lockkeeper.store", "");
    if (!url.isBlank()) {
      return url.strip().startsWith("jdbc:");
    } else if (!bean.isBlank()) {
      return Candidate.JDBC.beans(beans).contains(bean);
    } else if (!kind.isBlank()) {
      return kind.equalsIgnoreCase(StoreKind.JDBC.name());
    }
    return Stream.of(Candidate.values())
        .filter(candidate -> candidate.hasModule(beans) && !candidate.beans(beans).isEmpty())
        .findFirst()
        .filter(Candidate.JDBC::equals)
        .isPresent();
  }

  /**
   * Returns where the locks are.
   *
   * @throws StartException if there is no such bean, or more than one
   */
  LockkeeperConnectionDetails choose(@Nullable StoreKind kind, @Nullable String bean) {
    List<ApplicationStore<?>> wanted =
        stores.stream().filter(store -> kind == null || store.kind() == kind).toList();
    String asked = kind == null ? "" : "lockkeeper.store is '" + lower(kind) + "', and ";
    if (StringUtils.hasText(bean)) {
      return wanted.stream()
          .filter(store -> beans.containsBean(bean) && beans.isTypeMatch(bean, store.type()))
          .findFirst()
          .map(store -> byName(store, bean))
          .orElseThrow(
              () -> none(asked + "lockkeeper.store-bean is '" + bean + "', which it cannot use"));
    }
    List<ApplicationStore<?>> present =
        wanted.stream().filter(store -> !names(beans, store.type()).isEmpty()).toList();
    if (present.isEmpty()) {
      throw none(asked + "lockkeeper.url is not set, and the application has no store to use");
    }
    ApplicationStore<?> first = present.get(0);
    if (present.size() > 1) {
      LOG.log(
          System.Logger.Level.INFO,
          "The locks are in {0}, which comes before {1}. lockkeeper.store={2} says the same and"
              + " leaves this message out; another value chooses another",
          describe(first),
          present.stream().skip(1).map(this::describe).collect(Collectors.joining(", ")),
          lower(first.kind()));
    }
    return byType(first);
  }

  private static List<String> names(ConfigurableListableBeanFactory beans, Class<?> type) {
    return List.of(beans.getBeanNamesForType(type, true, false));
  }

  private String describe(ApplicationStore<?> store) {
    return store.type().getSimpleName() + " " + String.join(", ", names(beans, store.type()));
  }

  private static String lower(StoreKind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private <T> LockkeeperConnectionDetails byName(ApplicationStore<T> store, String name) {
    return details(store, name, beans.getBean(name, store.type()));
  }

  private <T> LockkeeperConnectionDetails byType(ApplicationStore<T> store) {
    NamedBeanHolder<T> only;
    try {
      only = beans.resolveNamedBean(store.type());
    } catch (NoUniqueBeanDefinitionException e) {
      throw new StartException(
          "Lockkeeper does not know where the locks are: the application has several beans of the"
              + " type "
              + describe(store)
              + ", and none of them is @Primary.",
          "Name one of them by lockkeeper.store-bean, or set lockkeeper.url, or choose another kind"
              + " by lockkeeper.store (redis, jdbc or zookeeper).",
          e);
    }
    return details(store, only.getBeanName(), only.getBeanInstance());
  }

  /** Closes the bean after the client. */
  private <T> LockkeeperConnectionDetails details(ApplicationStore<T> store, String name, T bean) {
    beans.registerDependentBean(name, LockkeeperAutoConfiguration.DETAILS);
    return store.details().apply(name, bean);
  }

  private StartException none(String problem) {
    String found =
        Stream.of(Candidate.values())
            .filter(candidate -> !candidate.beans(beans).isEmpty())
            .map(candidate -> candidate.describe(beans))
            .collect(Collectors.joining("; "));
    String modules =
        Stream.of(
                "redis.Redis",
                "jdbc.Jdbc",
                "zookeeper.ZooKeeper",
                "etcd.Etcd",
                "dynamodb.DynamoDb",
                "memory.Memory")
            .filter(
                provider ->
                    ClassUtils.isPresent(
                        "io.lockkeeper." + provider + "StoreProvider", beans.getBeanClassLoader()))
            .map(provider -> "lockkeeper-" + provider.substring(0, provider.indexOf('.')))
            .collect(Collectors.joining(", "));
    String missing =
        Stream.of(Candidate.values())
            .filter(one -> !one.hasModule(beans) && !one.beans(beans).isEmpty())
            .map(one -> "Add io.lockkeeper:" + one.module() + " for the bean that is there. Or: ")
            .findFirst()
            .orElse("");
    return new StartException(
        "Lockkeeper does not know where the locks are: "
            + problem
            + ". Beans found: "
            + (found.isEmpty() ? "none" : found)
            + ". Modules of stores on the class path: "
            + (modules.isEmpty() ? "none" : modules)
            + ".",
        missing
            + "Add the module of a store (lockkeeper-redis, lockkeeper-jdbc, lockkeeper-zookeeper, or"
            + " lockkeeper-memory for tests), and set lockkeeper.url, such as redis://localhost, or"
            + " configure the application's own Redis (spring.data.redis.*) or database"
            + " (spring.datasource.*). lockkeeper.store is the kind of the store (redis, jdbc or"
            + " zookeeper) if there are several, lockkeeper.store-bean the name of the bean.");
  }
}
