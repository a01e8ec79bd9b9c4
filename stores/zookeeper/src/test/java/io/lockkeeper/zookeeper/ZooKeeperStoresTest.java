package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.tck.Delays;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Test;

@SuppressWarnings("LockNotBeforeTry") // what fails here fails the test
class ZooKeeperStoresTest {

  private static CuratorFramework started() {
    CuratorFramework curator = unstarted();
    curator.start();
    return curator;
  }

  private static CuratorFramework unstarted() {
    return CuratorFrameworkFactory.newClient(
        SharedServer.running().connectString(), new RetryOneTime(100));
  }

  @Test
  void clientsOfTheApplicationsEnsembleHandOverAndLeaveItsClientOpen() throws Exception {
    try (CuratorFramework curator = started()) {
      ZooKeeperStores stores =
          ZooKeeperStores.from(curator).withSessionTimeout(Duration.ofSeconds(20));
      try (Lockkeeper one = Lockkeeper.builder().connect(stores);
          Lockkeeper two = Lockkeeper.builder().connect(stores);
          Lockkeeper byUrl = Lockkeeper.connect(SharedServer.running().url())) {
        DistributedLock lock = one.lock("borrowed");
        lock.lock();
        CompletableFuture<Lease> waiting =
            two.lock("borrowed").acquireAsync().toCompletableFuture();
        assertThat(byUrl.lock("borrowed").tryLock()).isFalse();
        lock.unlock();
        waiting.get(Delays.patience().toMillis(), TimeUnit.MILLISECONDS).release();
      }
      assertThat(curator.checkExists().forPath("/lockkeeper")).isNotNull();
    }
  }

  @Test
  void aClosedClientOfTheApplicationTakesNoLock() {
    CuratorFramework curator = started();
    try (Lockkeeper keeper = Lockkeeper.builder().connect(ZooKeeperStores.from(curator))) {
      DistributedLock lock = keeper.lock("kept");
      lock.lock();

      curator.close();

      assertThat(lock.isHeldByCurrentThread()).isTrue();
      assertThat(keeper.admin().ping(Delays.patience())).isPositive();
      lock.unlock();
    }
  }

  @Test
  void aLoginAndAPathOfOnesOwnAreUsed() {
    String root = "/apps-" + UUID.randomUUID();
    try (CuratorFramework curator = started()) {
      ZooKeeperStores stores = ZooKeeperStores.from(curator).withRoot(root);
      try (Lockkeeper keeper = Lockkeeper.builder().connect(stores.withLogin("app", "s3cret"))) {
        keeper.counter("c").set(1);
        assertThatThrownBy(() -> curator.getChildren().forPath(root + "/lockkeeper")).isNotNull();
        keeper.counter("c").delete();
      }
      assertThat(stores.describe()).endsWith(root).doesNotContain("s3cret");
    }
  }

  @Test
  void aClientThatIsNotStartedIsNoStore() {
    try (CuratorFramework curator = unstarted()) {
      assertThatThrownBy(() -> Lockkeeper.builder().connect(ZooKeeperStores.from(curator)))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("not started");
    }
  }

  @Test
  void badSettingsAreRefused() {
    try (CuratorFramework curator = unstarted()) {
      ZooKeeperStores stores = ZooKeeperStores.from(curator);
      assertThatThrownBy(() -> stores.withRoot("locks"))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> stores.withLogin("a:b", "c"))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> stores.withSessionTimeout(Duration.ZERO))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aConfigurationIsTheApplicationsUnlessItIsSet() {
    ZKClientConfig theirs = new ZKClientConfig();
    theirs.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
    theirs.setProperty(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, "1");
    ZKClientConfig borrowed = new BorrowedConfig(theirs);
    borrowed.setProperty(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, "3000");

    assertThat(borrowed.getBoolean(ZKClientConfig.SECURE_CLIENT)).isTrue();
    assertThat(borrowed.getLong(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, 0)).isEqualTo(3000);
    assertThat(borrowed.getProperty("not set", "otherwise")).isEqualTo("otherwise");
    assertThat(theirs.getProperty(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT)).isEqualTo("1");
  }
}
