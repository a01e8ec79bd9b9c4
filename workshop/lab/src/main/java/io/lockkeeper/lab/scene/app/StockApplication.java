package io.lockkeeper.lab.scene.app;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
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
@Import({
  Desk.class,
  StockController.class,
  Shelf.class,
  JvmStocks.Synchronized.class,
  JvmStocks.Prototype.class,
  JvmStocks.Inside.class,
  JvmStocks.Outside.class
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
}
