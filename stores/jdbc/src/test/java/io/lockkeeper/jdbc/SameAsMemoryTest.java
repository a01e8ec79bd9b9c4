package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.memory.MemoryServer;
import io.lockkeeper.testkit.tck.Rounds;
import io.lockkeeper.testkit.tck.store.SameAnswers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Databases answer random operations as the memory store does. */
@Tag("full")
class SameAsMemoryTest {

  private static final int SCHEDULES = Rounds.of(6);

  @Test
  void sqliteAnswersAsTheMemoryStoreDoes() {
    answersAsTheMemoryStoreDoes(new SqliteDialect(), Databases.sqlite("same"));
  }

  @Test
  @Tag("slow")
  void h2AnswersAsTheMemoryStoreDoes() {
    answersAsTheMemoryStoreDoes(new H2Dialect(), Databases.h2("same"));
  }

  @Test
  void postgreSqlAnswersAsTheMemoryStoreDoes() {
    answersAsTheMemoryStoreDoes(new PostgreSqlDialect(), Databases.postgres().jdbcUrl());
  }

  @Test
  void mariaDbAnswersAsTheMemoryStoreDoes() {
    answersAsTheMemoryStoreDoes(new MySqlDialect(), Databases.mariaDb().jdbcUrl());
  }

  @Test
  void mySqlAnswersAsTheMemoryStoreDoes() {
    answersAsTheMemoryStoreDoes(new MySqlDialect(), Databases.mySqlUrl());
  }

  private static void answersAsTheMemoryStoreDoes(Dialect dialect, String url) {
    String namespace = "same-" + System.nanoTime();
    SameAnswers.compare(
        new JdbcStoreProvider().factory(url),
        new MemoryServer(System::nanoTime).factory(),
        namespace,
        SCHEDULES);
    assertThat(JdbcTckStore.residue(dialect, url, namespace)).isEmpty();
  }
}
