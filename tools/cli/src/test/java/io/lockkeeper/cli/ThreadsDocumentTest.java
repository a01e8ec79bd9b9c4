package io.lockkeeper.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.Registration;
import io.lockkeeper.servers.DynamoDbServer;
import io.lockkeeper.servers.EtcdBinary;
import io.lockkeeper.servers.EtcdServer;
import io.lockkeeper.servers.MariaDbServer;
import io.lockkeeper.servers.PostgresServer;
import io.lockkeeper.servers.RedisBinary;
import io.lockkeeper.servers.RedisCluster;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.SqlBinaries;
import io.lockkeeper.servers.ZooKeeperServer;
import io.lockkeeper.testkit.tck.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The threads that clients of the stores start are in the table of {@code docs/CONCURRENCY.md}. */
@Tag("full")
class ThreadsDocumentTest {

  private static final boolean IS_CI = Boolean.parseBoolean(System.getenv("CI"));
  private static final Path PAGE = Path.of("..", "..", "docs", "CONCURRENCY.md");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  @TempDir private Path folder;

  @Test
  void ofTheMemoryStore() throws Exception {
    check("memory:threads", "every");
  }

  @Test
  void ofRedis() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      check(server.url() + "?afterLoss=grant", "every", "Redis");
    }
  }

  @Test
  void ofRedisCluster() throws Exception {
    try (RedisCluster cluster = RedisCluster.start(RedisBinary.preferred())) {
      check(cluster.url(), "every", "Redis");
    }
  }

  @Test
  void ofZooKeeper() throws Exception {
    try (ZooKeeperServer server = ZooKeeperServer.start()) {
      check(server.url(), "every", "ZooKeeper");
    }
  }

  @Test
  void ofEtcd() throws Exception {
    assumeTrue(IS_CI || EtcdBinary.onPath().isPresent(), EtcdBinary.WHY_NONE);
    try (EtcdServer server = EtcdServer.start()) {
      check(server.url(), "every", "etcd");
    }
  }

  @Test
  void ofDynamoDb() throws Exception {
    assumeTrue(IS_CI || DynamoDbServer.isAvailable(), DynamoDbServer.WHY_NONE);
    try (DynamoDbServer server = DynamoDbServer.start()) {
      check(server.url(), "every", "DynamoDB");
    }
  }

  @Test
  void ofSqlite() throws Exception {
    check("jdbc:sqlite:" + folder.resolve("threads.db"), "every", "SQL", "SQL without `NOTIFY`");
  }

  @Test
  void ofMariaDb() throws Exception {
    require(MariaDbServer.binaries());
    try (MariaDbServer server = MariaDbServer.start()) {
      check(server.jdbcUrl(), "every", "SQL", "SQL without `NOTIFY`");
    }
  }

  @Test
  void ofPostgreSql() throws Exception {
    require(PostgresServer.binaries());
    try (PostgresServer server = PostgresServer.start()) {
      check(server.jdbcUrl(), "every", "SQL", "PostgreSQL");
    }
  }

  private static void require(SqlBinaries binaries) {
    assumeTrue(IS_CI || binaries.preferred().isPresent(), binaries.whyNone());
  }

  /** Checks that threads are in the table, and that those of ours in the table are there. */
  private static void check(String url, String... clients) throws Exception {
    List<String> always = named(cell -> List.of(clients).contains(cell));
    List<String> sometimes = named(cell -> Stream.of(clients).anyMatch(cell::startsWith));

    Set<String> seen = threadsAt(url);

    assertThat(sometimes).containsAll(seen);
    assertThat(seen)
        .containsAll(always.stream().filter(name -> name.startsWith("lockkeeper-")).toList());
  }

  /** Returns the patterns of the table that the threads of two clients at work have. */
  private static Set<String> threadsAt(String url) throws Exception {
    Set<Thread> before = Threads.all();
    try (Lockkeeper one = Lockkeeper.connect(url);
        Lockkeeper other = Lockkeeper.connect(url)) {
      Registration listening = one.sharedValue("v").onChange(value -> {});
      Lease held = one.lock("a").acquire();
      CompletableFuture<Lease> waiting = other.lock("a").acquireAsync().toCompletableFuture();
      other.sharedValue("v").set("1");
      held.release();
      waiting.get(60, TimeUnit.SECONDS).release();
      listening.close();
      return Threads.all().stream()
          .filter(thread -> !before.contains(thread) && !isOfTheJvm(thread))
          .map(Thread::getName)
          .map(ThreadsDocumentTest::pattern)
          .collect(Collectors.toSet());
    }
  }

  private static boolean isOfTheJvm(Thread thread) {
    ThreadGroup group = thread.getThreadGroup(); // null if it has ended
    return group == null || !group.getName().equals("main");
  }

  /** Returns the pattern of the table that a name matches, or the name if there is none. */
  private static String pattern(String name) {
    return rows().stream()
        .map(row -> row.get(0))
        .filter(cell -> name.matches(cell.replace("*", ".*")))
        .findFirst()
        .orElse("not in the table: " + name);
  }

  /** Returns the patterns of the rows with such a second cell. */
  private static List<String> named(Predicate<String> clients) {
    return rows().stream().filter(row -> clients.test(row.get(1))).map(row -> row.get(0)).toList();
  }

  /** The rows of the table: the pattern of the names, and whose clients have such threads. */
  private static List<List<String>> rows() {
    String page;
    try {
      page = Files.readString(PAGE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return page.substring(page.indexOf("## Threads"), page.indexOf("### Where user code runs"))
        .lines()
        .filter(line -> line.startsWith("| `"))
        .map(line -> List.of(line.split(" *\\| *")))
        .map(cells -> List.of(CODE.matcher(cells.get(1)).replaceAll("$1"), cells.get(2)))
        .toList();
  }
}
