package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreUnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@SuppressWarnings("LockNotBeforeTry") // what fails here fails the test
class ConnectingTest {

  @Test
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
}
