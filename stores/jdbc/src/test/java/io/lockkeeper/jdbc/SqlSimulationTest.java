package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Statements of several clients in random orders, on real databases. */
class SqlSimulationTest {

  private static DataSource postgres() {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(Databases.postgres().jdbcUrl());
    return source;
  }

  private static void run(
      DataSource source, Dialect dialect, UnaryOperator<String> rewriting, int schedules)
      throws SQLException {
    Long given = Long.getLong("lockkeeper.test.seed");
    long seed = given == null ? System.nanoTime() : given;
    System.out.println("seed " + seed);
    try (SqlSimulation simulation = new SqlSimulation(source, dialect, rewriting)) {
      for (int i = 0; i < schedules; i++) {
        simulation.run(seed + i);
      }
    }
  }

  @Test
  void everyOrderOfStatementsIsAnOrderOfOperationsOnPostgreSql() throws SQLException {
    run(postgres(), new PostgreSqlDialect(), UnaryOperator.identity(), 250);
  }

  @Test
  @Tag("full")
  void everyOrderOfStatementsIsAnOrderOfOperationsOnMariaDb() throws SQLException {
    DataSource source =
        new MariaDbDataSource(Databases.mariaDb().jdbcUrl() + "&allowMultiQueries=true");
    run(source, new MySqlDialect(), UnaryOperator.identity(), 100);
  }

  @Tag("slow")
  @Test
  void manyOrdersOfStatementsAreOrdersOfOperations() throws SQLException {
    run(postgres(), new PostgreSqlDialect(), UnaryOperator.identity(), 70_000);
    DataSource source =
        new MariaDbDataSource(Databases.mariaDb().jdbcUrl() + "&allowMultiQueries=true");
    run(source, new MySqlDialect(), UnaryOperator.identity(), 30_000);
  }

  @Test
  @Tag("full")
  void aRowThatIsReadWithoutItsLockIsFoundOut() {
    assertThatThrownBy(
            () ->
                run(
                    postgres(),
                    new PostgreSqlDialect(),
                    sql -> sql.replace(" for update", ""),
                    2_000))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("replay with");
  }

  @Test
  @Tag("full")
  void aGrantThatIsNotNamedInAReleaseIsFoundOut() {
    assertThatThrownBy(
            () ->
                run(
                    postgres(),
                    new PostgreSqlDialect(),
                    sql -> sql.replace("and r.grant_number = ?", "and (0 = 1 or ? > 0)"),
                    2_000))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("replay with");
  }
}
