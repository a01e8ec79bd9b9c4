package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@SuppressWarnings("LockNotBeforeTry")
class ConnectingTest {

  @Test
  @Timeout(60)
  void whoDoesNotAnswerIsNamedWithinTheConnectTimeout() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String url = "zookeeper://127.0.0.1:" + silent.getLocalPort() + "?connectTimeout=500ms";
      long start = System.nanoTime();

      assertThatThrownBy(() -> Lockkeeper.connect(url))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("127.0.0.1:" + silent.getLocalPort());

      assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(30));
    }
  }

  @Test
  void aPathOfOnesOwnSeparatesEverything() {
    String server = SharedServer.running().url();
    String root = "/apps-" + UUID.randomUUID() + "/locks";
    try (Lockkeeper here = Lockkeeper.connect(server + root);
        Lockkeeper there = Lockkeeper.connect(server)) {
      DistributedLock lock = here.lock("n");
      lock.lock();

      assertThat(there.lock("n").tryLock()).isTrue();
      there.lock("n").unlock();
      assertThat(RawTree.of(SharedServer.running()).below(root)).isNotEmpty();
      lock.unlock();
    }
  }

  @Test
  void nodesOfWhoHasAPasswordAreNotForOthers() {
    String address = SharedServer.running().connectString() + "/acl-" + UUID.randomUUID();
    try (Lockkeeper owner = Lockkeeper.connect("zookeeper://app:s3cret@" + address);
        Lockkeeper same = Lockkeeper.connect("zookeeper://app:s3cret@" + address);
        Lockkeeper stranger = Lockkeeper.connect("zookeeper://" + address)) {
      DistributedLock lock = owner.lock("n");
      lock.lock();

      assertThat(same.lock("n").tryLock()).isFalse();
      assertThatThrownBy(() -> stranger.lock("n").tryLock())
          .isInstanceOf(StoreRefusedException.class)
          .hasMessageNotContaining("s3cret");
      lock.unlock();
    }
  }
}
