package io.lockkeeper.lab.scene.app;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.lab.oversell.strategy.GrantLog;
import io.lockkeeper.spring.EnableLocks;
import javax.sql.DataSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;

/** The stock service. What a scene does not use is not opened. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableTransactionManagement
@EnableLocks
@Import({
  Desk.class,
  StockController.class,
  Shelf.class,
  SynchronizedStock.class,
  PrototypeStock.class,
  InsideStock.class,
  OutsideStock.class,
  LockedStock.InRedis.class,
  LockedStock.InZooKeeper.class,
  LockedStock.InEtcd.class,
  LockedStock.InSql.class,
  LockedStock.FairInRedis.class,
  LockedStock.FairInZooKeeper.class,
  LockedStock.FairInEtcd.class,
  LockedStock.FairInSql.class
})
class StockApplication {

  @Bean
  @Lazy
  DataSource database(InstanceStart start) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(start.url("SQL"));
    config.setMaximumPoolSize(10);
    return new HikariDataSource(config);
  }

  @Bean
  @Lazy
  PlatformTransactionManager transactions(DataSource database) {
    return new DataSourceTransactionManager(database);
  }

  @Bean
  @Lazy
  Lockkeeper redisKeeper(InstanceStart start, GrantLog log) {
    return keeper(start.url("REDIS"), log);
  }

  @Bean
  @Lazy
  Lockkeeper zooKeeperKeeper(InstanceStart start, GrantLog log) {
    return keeper(start.url("ZOOKEEPER"), log);
  }

  @Bean
  @Lazy
  Lockkeeper etcdKeeper(InstanceStart start, GrantLog log) {
    return keeper(start.url("ETCD"), log);
  }

  @Bean
  @Lazy
  Lockkeeper sqlKeeper(InstanceStart start, GrantLog log) {
    return keeper(start.url("SQL"), log);
  }

  @Bean
  GrantLog grants() {
    return new GrantLog();
  }

  private static Lockkeeper keeper(String url, GrantLog log) {
    return Lockkeeper.builder().namespace("lab").listener(log).connect(url);
  }
}
