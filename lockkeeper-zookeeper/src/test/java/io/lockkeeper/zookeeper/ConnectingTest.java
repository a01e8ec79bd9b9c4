package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.testkit.tck.Everything;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@SuppressWarnings("LockNotBeforeTry") // what fails here fails the test
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

  /** As {@code docs/stores-zookeeper.md} says: {@code create} on the path, or above it. */
  @Test
  void onThePathNothingIsNeededButCreate() throws Exception {
    for (String below : List.of("", "/apps/locks")) {
      String root = prepared(ZooDefs.Perms.CREATE);
      String url = "zookeeper://app:s3cret@" + SharedServer.running().connectString() + root;
      try (Lockkeeper a = Lockkeeper.connect(url + below);
          Lockkeeper b = Lockkeeper.connect(url + below)) {
        Everything.use(a, b);
      }
    }
  }

  /** Makes a node that is somebody else's, and in which app:s3cret may do this. */
  private static String prepared(int permissions) throws Exception {
    String root = "/rights-" + UUID.randomUUID();
    List<ACL> rights =
        Arrays.asList( // the driver looks for null in it, which other lists refuse
            new ACL(ZooDefs.Perms.ALL, digest("admin:other")),
            new ACL(permissions, digest("app:s3cret")));
    ZooKeeper admin = new ZooKeeper(SharedServer.running().connectString(), 30_000, event -> {});
    try {
      admin.create(root, new byte[0], rights, CreateMode.PERSISTENT);
    } finally {
      admin.close();
    }
    return root;
  }

  private static Id digest(String login) throws NoSuchAlgorithmException {
    return new Id("digest", DigestAuthenticationProvider.generateDigest(login));
  }
}
