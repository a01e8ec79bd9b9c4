package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.servers.ZooKeeperEnsemble;
import io.lockkeeper.servers.ZooKeeperServer;
import io.lockkeeper.servers.fault.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an ensemble of three survives, and what its clients notice. */
@SuppressWarnings("LockNotBeforeTry") // what fails here fails the test
@Tag("full")
class EnsembleTest {

  private static Lockkeeper client(ZooKeeperEnsemble ensemble, Duration lease) {
    return Lockkeeper.builder().lease(lease).connect(ensemble.url() + "?connectTimeout=20s");
  }

  /** Returns whether a lock that is held is found to be; false while there is no connection. */
  private static boolean isRefused(DistributedLock lock) {
    try {
      assertThat(lock.tryLock()).isFalse();
      return true;
    } catch (StoreUnavailableException e) {
      return false;
    }
  }

  @Test
  void aLockThatIsHeldOutlivesTheLeader() {
    try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start();
        Lockkeeper holder = client(ensemble, Duration.ofSeconds(20));
        Lockkeeper other = client(ensemble, Duration.ofSeconds(20))) {
      DistributedLock held = holder.lock("n");
      held.lock();
      long token = held.token();

      ensemble.leader().kill();
      await().atMost(Duration.ofSeconds(60)).until(() -> ensemble.leader().isServing());

      await().atMost(Duration.ofSeconds(60)).until(() -> isRefused(other.lock("n")));
      assertThat(held.isHeldByCurrentThread()).isTrue();
      held.unlock();
      DistributedLock next = other.lock("n");
      next.lock();
      assertThat(next.token()).isGreaterThan(token);
      next.unlock();
    }
  }

  @Test
  void withoutAMajorityALeaseEndsAtItsHolderAndTheLockWorksAgainAfterwards() throws Exception {
    try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start();
        Lockkeeper holder = client(ensemble, Duration.ofSeconds(3))) {
      Lease lease = holder.lock("n").acquire();
      CompletableFuture<Boolean> lost = new CompletableFuture<>();
      lease.onLost(loss -> lost.complete(true));
      List<ZooKeeperServer> victims = ensemble.servers().subList(0, 2);

      victims.forEach(ZooKeeperServer::kill);

      assertThat(lost.get(60, TimeUnit.SECONDS)).isTrue();
      assertThat(lease.isValid()).isFalse();
      victims.parallelStream().forEach(ZooKeeperServer::restart);
      DistributedLock again = holder.lock("n");
      again.lock();
      again.unlock();
    }
  }

  /** The session timeout is the default: three quarters of it are longer than the default lease. */
  @Test
  void aServerThatGoesSilentIsLeftAfterOneRequestAndTheLeaseKept() throws Exception {
    try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start();
        Lockkeeper holder =
            Lockkeeper.builder()
                .lease(Duration.ofSeconds(15))
                .connect(ensemble.url() + "?timeout=1s")) {
      Lease held = holder.lock("n").acquire();
      for (ZooKeeperServer server : ensemble.servers()) {
        server.freeze();
        try {
          for (int i = 0; i < 2; i++) {
            DistributedLock free = holder.lock("free" + i);
            assertThat(free.tryLock(Duration.ofSeconds(20))).as("with %s silent", server).isTrue();
            free.unlock();
          }
        } finally {
          server.thaw();
        }
        await().atMost(Duration.ofSeconds(60)).until(server::isServing);
      }
      assertThat(held.isValid()).isTrue();
    }
  }

  @Test
  void whoseLinksAreCutToOneServerGoesOnAtAnotherAndKeepsTheLock() {
    try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start();
        Links links = new Links(ensemble);
        Lockkeeper holder = links.client("ensemble");
        Links sound = new Links(ensemble);
        Lockkeeper other = sound.client("ensemble")) {
      DistributedLock held = holder.lock("n");
      held.lock();
      long token = held.token();

      for (int cuts = 0; cuts < 3; cuts++) {
        TcpProxy used = links.used();
        used.refuse();
        await().atMost(Duration.ofSeconds(60)).until(() -> links.used() != used);
        assertThat(held.isHeldByCurrentThread()).isTrue();
        assertThat(held.token()).isEqualTo(token);
        await().atMost(Duration.ofSeconds(60)).until(() -> isRefused(other.lock("n")));
        used.heal();
      }
      held.unlock();
      DistributedLock next = other.lock("n");
      next.lock();
      assertThat(next.token()).isGreaterThan(token);
      next.unlock();
    }
  }
}
