package io.lockkeeper.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@SuppressWarnings("try") // the client's close can be interrupted
@Tag("full")
class ZooKeeperServerTest {

  private static final byte[] DATA = "välue".getBytes(StandardCharsets.UTF_8);
  private static final int SESSION_MILLIS = 20_000;

  @Test
  void keepsItsDataOverAKill() throws Exception {
    ZooKeeperServer server = ZooKeeperServer.start();
    try (server) {
      try (ZooKeeper client = connect(server.connectString(), SESSION_MILLIS)) {
        client.create("/key", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        long pid = server.pid();
        server.kill();
        assertThat(server.isServing()).isFalse();
        server.restart();
        assertThat(server.pid()).isNotEqualTo(pid);
        await()
            .ignoreExceptionsInstanceOf(KeeperException.class)
            .until(() -> exists(client, "key"));
      }
    }
    assertThat(ProcessHandle.of(server.pid())).isEmpty();
    assertThatThrownBy(() -> server.ask("srvr")).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void hasShortSessionsIfItsTicksAreShort() throws Exception {
    try (ZooKeeperServer server =
            ZooKeeperServer.builder().tickTime(Duration.ofMillis(20)).start();
        ZooKeeper other = connect(server.connectString(), SESSION_MILLIS)) {
      ZooKeeper client = connect(server.connectString(), 200);
      assertThat(client.getSessionTimeout()).isEqualTo(200);
      server.freeze();
      await().until(() -> !server.isServing());
      server.thaw();
      await().until(server::isServing);
      client.close();
      await().until(() -> "1".equals(server.metrics().get("zk_global_sessions")));
      assertThat(exists(other, "zookeeper")).isTrue();
    }
  }

  @Test
  void anEnsembleOutlivesItsLeader() throws Exception {
    try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start();
        ZooKeeper client = connect(ensemble.connectString(), SESSION_MILLIS)) {
      client.create("/key", DATA, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      ZooKeeperServer leader = ensemble.leader();
      leader.kill();
      assertThat(ensemble.leader()).isNotSameAs(leader);
      await().ignoreExceptionsInstanceOf(KeeperException.class).until(() -> exists(client, "key"));
      leader.restart();
      ensemble.followers().get(0).kill();
      await().ignoreExceptionsInstanceOf(KeeperException.class).until(() -> exists(client, "key"));
      ensemble.restart();
      await().ignoreExceptionsInstanceOf(KeeperException.class).until(() -> exists(client, "key"));
    }
  }

  @Test
  void saysWhatTheServerSaidWhenItDoesNotStart() {
    assertThatThrownBy(() -> ZooKeeperServer.builder().jvmOption("-XX:+NoSuchFlag").start())
        .isInstanceOf(ServerStartException.class)
        .hasMessageContaining("NoSuchFlag");
    assertThatThrownBy(() -> ZooKeeperServer.builder().tickTime(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static boolean exists(ZooKeeper client, String name)
      throws KeeperException, InterruptedException {
    return client.getChildren("/", false).contains(name);
  }

  private static ZooKeeper connect(String servers, int sessionMillis)
      throws IOException, InterruptedException {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper client =
        new ZooKeeper(
            servers,
            sessionMillis,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    assertThat(connected.await(60, TimeUnit.SECONDS)).isTrue();
    return client;
  }
}
