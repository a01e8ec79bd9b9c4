package io.lockkeeper.lab.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.lab.migration.MigratingInstance.Generation;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.servers.ZooKeeperServer;
import io.lockkeeper.testkit.process.TalkingProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application of several processes changes its lock while it is at work. */
@Tag("full")
class MigrationTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int FEW = 20;
  private static final int MANY = 500;

  @TempDir private Path folder;

  private TalkingProcess start(Generation generation, String url) throws IOException {
    return TalkingProcess.start(
        MigratingInstance.class,
        Map.of(),
        generation.name(),
        url,
        folder.resolve("inside").toString());
  }

  private static void begin(TalkingProcess instance) throws Exception {
    instance.await("ready", LIMIT);
    instance.goOn();
  }

  /** Waits until each has had so many turns more. A thread that met another one says "broken". */
  private static void bothTakeTurns(int turns, TalkingProcess one, TalkingProcess other)
      throws Exception {
    for (int i = 0; i < turns; i++) {
      assertThat(one.await("", LIMIT)).startsWith("turn");
      assertThat(other.await("", LIMIT)).startsWith("turn");
    }
  }

  private static void end(TalkingProcess instance) throws Exception {
    instance.goOn();
    String last;
    do {
      last = instance.await("", LIMIT);
      assertThat(last).doesNotStartWith("broken");
    } while (!last.equals("ended"));
  }

  private void upgrade(String url, int turns) throws Exception {
    try (TalkingProcess before = start(Generation.OLD, url);
        TalkingProcess migrating = start(Generation.BOTH, url);
        TalkingProcess after = start(Generation.NEW, url)) {
      begin(before);
      begin(migrating);
      bothTakeTurns(turns, before, migrating);
      end(before);
      begin(after);
      bothTakeTurns(turns, migrating, after);
      end(migrating);
      end(after);
    }
  }

  @Test
  void fromRedissonNoTwoAreEverInside() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      upgrade(redis.url(), FEW);
    }
  }

  @Test
  @Tag("slow")
  void fromCuratorNoTwoAreEverInside() throws Exception {
    try (ZooKeeperServer zooKeeper = ZooKeeperServer.start()) {
      upgrade(zooKeeper.url(), FEW);
    }
  }

  @Test
  @Tag("slow")
  void forManyTurnsNoTwoAreEverInside() throws Exception {
    try (RedisServer redis = RedisServer.start();
        ZooKeeperServer zooKeeper = ZooKeeperServer.start()) {
      upgrade(redis.url(), MANY);
      upgrade(zooKeeper.url(), MANY);
    }
  }
}
