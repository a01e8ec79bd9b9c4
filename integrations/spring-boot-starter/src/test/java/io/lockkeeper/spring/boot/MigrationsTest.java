package io.lockkeeper.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.jdbc.JdbcStores;
import io.lockkeeper.servers.MariaDbServer;
import io.lockkeeper.servers.PostgresServer;
import io.lockkeeper.servers.SqlBinaries;
import io.lockkeeper.servers.SqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

/** Applications whose tables Flyway or Liquibase creates. Runs with each Spring Boot. */
class MigrationsTest {

  private static final String FLYWAY = "spring.flyway.locations=classpath:migrations";
  private static final String LIQUIBASE =
      "spring.liquibase.change-log=classpath:migrations/changelog.sql";

  private static ApplicationContextRunner application(String url, String... properties) {
    Stream<String> names =
        Stream.of(
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");
    Stream<String> migrating =
        Stream.of(properties).anyMatch(property -> property.startsWith("spring.flyway"))
            ? Stream.of(
                "org.springframework.boot.autoconfigure.flyway.FlywayAutoConfiguration",
                "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration")
            : Stream.of(
                "org.springframework.boot.autoconfigure.liquibase.LiquibaseAutoConfiguration",
                "org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration");
    Class<?>[] configurations =
        Stream.concat(
                Stream.of(LockkeeperAutoConfiguration.class.getName()),
                Stream.concat(names, migrating))
            .filter(name -> ClassUtils.isPresent(name, null))
            .map(name -> ClassUtils.resolveClassName(name, null))
            .toArray(Class<?>[]::new);
    return new ApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(configurations))
        .withPropertyValues(
            "spring.datasource.url=" + url,
            "spring.datasource.type=org.springframework.jdbc.datasource.DriverManagerDataSource")
        .withPropertyValues(properties);
  }

  /** Locks and has what the migrations have created. */
  private static void assertWorks(ApplicationContextRunner application) {
    application.run(
        context -> {
          assertThat(context).hasNotFailed();
          assertThat(context.getBean(Lockkeeper.class).lock("a").tryLock()).isTrue();
          try (Connection connection = context.getBean(DataSource.class).getConnection()) {
            connection.createStatement().executeQuery("select * from orders").close();
          }
        });
  }

  private static void assertWorksTwice(ApplicationContextRunner application) {
    assertWorks(application);
    assertWorks(application);
  }

  private static void require(SqlBinaries binaries) {
    assumeTrue(System.getenv("CI") != null || binaries.preferred().isPresent(), binaries::whyNone);
  }

  /** Creates a database in which nothing is, and returns its URL. */
  private static String database(SqlServer server, String name) throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.jdbcUrl())) {
      connection.createStatement().execute("create database " + name);
    }
    return server.jdbcUrl().replaceFirst("/\\w+\\?", "/" + name + "?");
  }

  static class OwnKeeper {

    @Bean
    Lockkeeper lockkeeper(DataSource source) {
      return Lockkeeper.builder().connect(JdbcStores.from(source));
    }
  }

  static class OwnDetails {

    @Bean
    LockkeeperConnectionDetails locks(DataSource source) {
      return builder -> builder.connect(JdbcStores.from(source));
    }
  }

  @Test
  void anEmptyPostgresqlIsMigratedBeforeItHasTheTablesOfLocks() throws SQLException {
    require(PostgresServer.binaries());
    try (PostgresServer server = PostgresServer.start()) {
      assertWorksTwice(application(database(server, "flyway"), FLYWAY));
      assertWorksTwice(application(database(server, "liquibase"), LIQUIBASE));
      String url = database(server, "by_url");
      assertWorksTwice(application(url, FLYWAY, "lockkeeper.url=" + url));
      assertWorksTwice(
          application(database(server, "own_keeper"), FLYWAY)
              .withUserConfiguration(OwnKeeper.class));
      assertWorksTwice(
          application(database(server, "own_details"), FLYWAY)
              .withUserConfiguration(OwnDetails.class));
      assertWorksTwice(
          application(
              database(server, "expected"),
              FLYWAY.replace("migrations", "later") + ",classpath:io/lockkeeper/jdbc/postgresql",
              "spring.flyway.validate-migration-naming=true",
              "lockkeeper.jdbc.tables=expect"));
    }
  }

  @Test
  void anEmptyMariaDbIsMigratedBeforeItHasTheTablesOfLocks() throws SQLException {
    require(MariaDbServer.binaries());
    try (MariaDbServer server = MariaDbServer.start()) {
      assertWorksTwice(application(database(server, "flyway"), FLYWAY));
      assertWorksTwice(application(database(server, "liquibase"), LIQUIBASE));
    }
  }

  /** What tests of applications use; it lives in this process. */
  @Test
  void anEmptyH2IsMigratedBeforeItHasTheTablesOfLocks() {
    assertWorksTwice(application(h2("flyway"), FLYWAY));
    assertWorksTwice(application(h2("liquibase"), LIQUIBASE));
    assertWorksTwice(
        application(
            h2("expected"),
            FLYWAY.replace("migrations", "later") + ",classpath:io/lockkeeper/jdbc/h2",
            "spring.flyway.validate-migration-naming=true",
            "lockkeeper.jdbc.tables=expect"));
  }

  private static String h2(String name) {
    return "jdbc:h2:mem:migrations_" + name + ";DB_CLOSE_DELAY=-1";
  }
}
