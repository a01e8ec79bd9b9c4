package io.lockkeeper.spring.boot;

import io.lockkeeper.Lockkeeper;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitializationDetector;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Makes Lockkeeper create its tables after the migrations of the application's database: Flyway
 * refuses an empty database in which somebody else's tables are already. Spring Boot finds this by
 * {@code spring.factories} and asks it as soon as anything initializes a database.
 *
 * <p>A {@link Lockkeeper} or {@link LockkeeperConnectionDetails} of the application's own may use
 * its database too, so it waits as well.
 */
final class AfterDatabaseInitialization implements DependsOnDatabaseInitializationDetector {

  @Override
  public Set<String> detect(ConfigurableListableBeanFactory beans) {
    if (!ClassUtils.isPresent("io.lockkeeper.jdbc.JdbcStores", beans.getBeanClassLoader())) {
      return Set.of();
    }
    Set<String> names = new HashSet<>();
    for (Class<?> type : List.of(LockkeeperConnectionDetails.class, Lockkeeper.class)) {
      names.addAll(List.of(beans.getBeanNamesForType(type, true, false)));
    }
    if (!StoreChoice.isDatabase(beans, beans.getBean(Environment.class))) {
      names.removeIf(name -> isAutoConfigured(beans, name));
    }
    return names;
  }

  private static boolean isAutoConfigured(ConfigurableListableBeanFactory beans, String name) {
    return beans.containsBeanDefinition(name)
        && LockkeeperAutoConfiguration.class
            .getName()
            .equals(beans.getBeanDefinition(name).getFactoryBeanName());
  }
}
