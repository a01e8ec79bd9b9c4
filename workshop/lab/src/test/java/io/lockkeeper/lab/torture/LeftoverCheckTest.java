package io.lockkeeper.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.Lockkeeper;
import io.lockkeeper.servers.EtcdBinary;
import io.lockkeeper.servers.EtcdServer;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.ZooKeeperServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left in a store is found; what may stay is not. */
class LeftoverCheckTest {

  private static final boolean IS_CI = Boolean.parseBoolean(System.getenv("CI"));
  private static final String NAMESPACE = "torture-1";

  @TempDir Path folder;

  private static void useAndLeave(String url, LeftoverCheck remains) {
    try (Lockkeeper keeper = Lockkeeper.builder().namespace(NAMESPACE).connect(url)) {
      keeper.lock("a").acquireAsync().toCompletableFuture().join().release();
      keeper.semaphore("b", 2).acquireAsync().toCompletableFuture().join().release();
      keeper.counter("c").incrementAndGet();
      assertThat(remains.of(NAMESPACE)).as("with a counter").hasSize(1);
      keeper.counter("c").delete();
    }
    assertThat(remains.of(NAMESPACE)).isEmpty();
  }

  @Test
  void keysOfRedis() {
    try (RedisServer server = RedisServer.start()) {
      LeftoverCheck remains = new RedisRemains(() -> List.of(server));
      useAndLeave(server.url() + "?afterLoss=grant", remains);

      server.command("SET", NAMESPACE + ":{a}:q", "without a time to live");
      server.command("SET", NAMESPACE + ":strange", "1", "EX", "100");

      assertThat(remains.of(NAMESPACE))
          .containsExactlyInAnyOrder(
              "the key " + NAMESPACE + ":{a}:q", "the key " + NAMESPACE + ":strange");
    }
  }

  @Test
  void keysOfEtcd() {
    assumeTrue(IS_CI || EtcdBinary.onPath().isPresent(), EtcdBinary.WHY_NONE);
    try (EtcdServer server = EtcdServer.start()) {
      useAndLeave(server.url(), new EtcdRemains(() -> server));
    }
  }

  @Test
  void rowsOfADatabase() {
    String url = "jdbc:sqlite:" + folder.resolve("locks.db");
    useAndLeave(url, new SqlRemains(url));
  }

  @Test
  void nodesOfZooKeeper() {
    try (ZooKeeperServer server = ZooKeeperServer.start()) {
      useAndLeave(server.url(), new ZooKeeperRemains(server.connectString()));
    }
  }
}
