package io.lockkeeper.bench.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.servers.EtcdBinary;
import io.lockkeeper.servers.EtcdServer;
import io.lockkeeper.servers.MariaDbServer;
import io.lockkeeper.servers.PostgresServer;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.ZooKeeperServer;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The floor is a lock: one owner at a time, and tokens that grow. */
class FloorTest {

  private static final boolean IS_CI = Boolean.parseBoolean(System.getenv("CI"));

  @Test
  void onRedis() {
    try (RedisServer server = RedisServer.start()) {
      assertIsALock(server.url());
    }
  }

  @Test
  void onZooKeeper() {
    try (ZooKeeperServer server = ZooKeeperServer.start()) {
      assertIsALock(server.url());
    }
  }

  @Test
  @Tag("slow")
  void onPostgresql() {
    assumeTrue(
        IS_CI || PostgresServer.binaries().preferred().isPresent(),
        PostgresServer.binaries().whyNone());
    try (PostgresServer server = PostgresServer.start()) {
      assertIsALock(server.jdbcUrl());
    }
  }

  @Test
  @Tag("slow")
  void onMariaDb() {
    assumeTrue(
        IS_CI || MariaDbServer.binaries().preferred().isPresent(),
        MariaDbServer.binaries().whyNone());
    try (MariaDbServer server = MariaDbServer.start()) {
      assertIsALock(server.jdbcUrl());
    }
  }

  @Test
  void onEtcd() {
    assumeTrue(IS_CI || EtcdBinary.onPath().isPresent(), EtcdBinary.WHY_NONE);
    try (EtcdServer server = EtcdServer.start()) {
      assertIsALock(server.url());
    }
  }

  private static void assertIsALock(String url) {
    String name = UUID.randomUUID().toString();
    try (Floor mine = Floor.open(url);
        Floor theirs = Floor.open(url)) {
      long first = mine.take(name, "mine");
      assertThat(first).isPositive();
      assertThat(theirs.take(name, "theirs")).as("held by another").isZero();

      mine.giveBack(name, "mine");

      long second = awaitToken(theirs, name);
      assertThat(second).isGreaterThan(first);
      assertThat(mine.take(name, "mine")).as("held by another").isZero();
    }
  }

  /** The release may still be under way. */
  private static long awaitToken(Floor floor, String name) {
    long token = 0;
    while (token == 0) {
      token = floor.take(name, "theirs");
    }
    return token;
  }
}
