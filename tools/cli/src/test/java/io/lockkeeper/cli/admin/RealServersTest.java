package io.lockkeeper.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.cli.CommandRun;
import io.lockkeeper.cli.CommandRun.Ended;
import io.lockkeeper.cli.console.ExitStatus;
import io.lockkeeper.servers.MariaDbServer;
import io.lockkeeper.servers.MySqlLikeServer;
import io.lockkeeper.servers.MySqlServer;
import io.lockkeeper.servers.PostgresServer;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.SqlBinaries;
import io.lockkeeper.servers.ZooKeeperServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code doctor}, {@code list}, {@code show} and {@code release} at a server of each kind. */
class RealServersTest {

  private static final boolean IS_CI = Boolean.parseBoolean(System.getenv("CI"));

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path folder;

  @Test
  void redis() throws Exception {
    try (RedisServer server = RedisServer.builder().appendOnly().start()) {
      commandsWork(server.url());
      assertThat(examined(server.url()))
          .containsPattern("ok +persistence ")
          .containsPattern("ok +eviction ");
    }
  }

  @Test
  void zooKeeper() throws Exception {
    try (ZooKeeperServer server = ZooKeeperServer.start()) {
      commandsWork(server.url());
      assertThat(examined(server.url()))
          .containsPattern("ok +version +3\\.\\d+")
          .containsPattern("ok +session +\\d+ ms agreed")
          .containsPattern("warn +servers +1 of 1 named answer: standalone")
          .containsPattern("ok +access ");
    }
  }

  @Test
  void postgreSql() throws Exception {
    require(PostgresServer.binaries());
    try (PostgresServer server = PostgresServer.start()) {
      commandsWork(server.jdbcUrl());
      assertThat(examined(server.jdbcUrl()))
          .containsPattern("ok +version +PostgreSQL \\d+")
          .containsPattern("ok +tables +version \\d+")
          .containsPattern("ok +isolation +read committed")
          .containsPattern("ok +clock +\\d+ ms (ahead of|behind) this")
          .containsPattern("ok +role +takes writes")
          .containsPattern("warn +durability +fsync off")
          .containsPattern("ok +replicas +none seen");
    }
  }

  @Test
  void mariaDb() throws Exception {
    require(MariaDbServer.binaries());
    try (MariaDbServer server = MariaDbServer.start()) {
      mySqlLike(server, "MariaDB \\d+");
    }
  }

  /** By MariaDB's driver, which is the one that comes with the command line. */
  @Test
  void mySql() throws Exception {
    require(MySqlServer.binaries());
    try (MySqlServer server = MySqlServer.start()) {
      mySqlLike(server, "MySQL 8");
    }
  }

  private static void mySqlLike(MySqlLikeServer server, String version) throws Exception {
    commandsWork(server.mariaDbUrl());
    assertThat(examined(server.mariaDbUrl()))
        .containsPattern("ok +version +" + version)
        .containsPattern("ok +tables +version \\d+")
        .containsPattern("ok +isolation +read committed")
        .containsPattern("ok +clock +\\d+ ms (ahead of|behind) this")
        .containsPattern("ok +role +takes writes")
        .containsPattern("warn +durability +innodb_flush_log_at_trx_commit 2")
        .containsPattern("ok +engine +InnoDB");
  }

  private static void require(SqlBinaries binaries) {
    assumeTrue(IS_CI || binaries.preferred().isPresent(), binaries.whyNone());
  }

  @Test
  void sqlite() throws Exception {
    String url = "jdbc:sqlite:" + folder.resolve("locks.db");
    commandsWork(url);
    assertThat(examined(url))
        .containsPattern("ok +version +SQLite 3")
        .containsPattern("ok +tables +version \\d+")
        .containsPattern("ok +journal +wal")
        .containsPattern("(ok|fail) +file ")
        .containsPattern("ok +rights +not everybody");
  }

  /** Runs the doctor, who finds nothing that fails, and returns what it says. */
  private static String examined(String url) {
    Ended ended = run(url, "doctor");
    assertThat(ended.status()).as(ended.out() + ended.err()).isEqualTo(ExitStatus.OK);
    assertThat(ended.out())
        .containsPattern("ok +locks +granted once")
        .containsPattern("ok +hand-over ")
        .containsPattern("ok +sharing ")
        .containsPattern("ok +counters +exact")
        .containsPattern("ok +inspection ")
        .containsPattern("ok +listing ");
    return ended.out();
  }

  /** One client holds a lock for which another one waits, and has it taken away. */
  private static void commandsWork(String url) throws Exception {
    try (Lockkeeper billing = Lockkeeper.builder().clientName("billing").connect(url);
        Lockkeeper shipping = Lockkeeper.builder().clientName("shipping").connect(url)) {
      Lease held = billing.lock("stock").acquire();
      CompletableFuture<Lease> waiting =
          shipping.lock("stock").acquireAsync().toCompletableFuture();
      await()
          .atMost(PATIENCE)
          .until(() -> !billing.admin().inspect(ResourceKind.LOCK, "stock").waiters().isEmpty());

      assertThat(run(url, "list").out())
          .containsPattern("stock +lock +holds +billing .* " + held.token())
          .containsPattern("stock +lock +waits, 1\\. +shipping ");
      assertThat(run(url, "show", "stock").out()).containsPattern("holds +billing ");
      Ended released = run(url, "release", "stock", "--yes");
      assertThat(released.status()).as(released.out()).isEqualTo(ExitStatus.OK);
      assertThat(released.out()).contains("Taken from billing");

      Lease next = waiting.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(next.token()).isGreaterThan(held.token());
      await().atMost(PATIENCE).until(() -> !held.isValid());
      next.release();
    }
  }

  private static Ended run(String url, String... arguments) {
    String[] all = new String[arguments.length + 2];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "--store";
    all[arguments.length + 1] = url;
    return CommandRun.of(all);
  }
}
