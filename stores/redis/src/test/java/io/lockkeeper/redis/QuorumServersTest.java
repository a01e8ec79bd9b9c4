package io.lockkeeper.redis;

import static io.lockkeeper.testkit.tck.Delays.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.MultiLock;
import io.lockkeeper.QuorumLease;
import io.lockkeeper.QuorumLock;
import io.lockkeeper.QuorumOptions;
import io.lockkeeper.QuorumToken;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.testkit.tck.Delays;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A lock over five real servers, of which some die or freeze. */
@Tag("full")
class QuorumServersTest {

  private static final String NAME = "stock:1001";
  private static final int NODES = 5;
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration NODE_TIMEOUT = Delays.millis(300);
  private static final int ROUNDS = 20;

  private final List<RedisServer> servers = new ArrayList<>();
  private final List<Lockkeeper> clients = new ArrayList<>();

  @BeforeEach
  void start() {
    for (int i = 0; i < NODES; i++) {
      servers.add(RedisServer.builder().binary(Binaries.newest()).start());
    }
  }

  @AfterEach
  void end() {
    servers.forEach(RedisServer::thawIfFrozen);
    List<Thread> closing = new ArrayList<>();
    for (Lockkeeper client : clients) {
      Thread thread = new Thread(client::close); // those of dead servers take their time
      thread.start();
      closing.add(thread);
    }
    for (Thread thread : closing) {
      eventually().until(() -> !thread.isAlive());
    }
    servers.forEach(RedisServer::close);
  }

  /** Returns the lock as another process sees it. */
  private QuorumLock lock() {
    return Lockkeeper.quorum(keepers())
        .lock(NAME, QuorumOptions.defaults().withNodeTimeout(NODE_TIMEOUT));
  }

  private List<Lockkeeper> keepers() {
    List<Lockkeeper> keepers = new ArrayList<>();
    for (RedisServer server : servers) {
      keepers.add(
          Lockkeeper.builder()
              .lease(LEASE)
              .connect(server.url() + "?timeout=1s&connectTimeout=20s"));
    }
    clients.addAll(keepers);
    return keepers;
  }

  /** Takes and releases the lock many times; returns the longest acquisition. */
  private static Duration longest(QuorumLock lock) throws InterruptedException {
    long longest = 0;
    QuorumToken last = QuorumToken.none();
    for (int i = 0; i < ROUNDS; i++) {
      long start = System.nanoTime();
      QuorumLease lease = lock.acquire();
      longest = Math.max(longest, System.nanoTime() - start);
      assertThat(lease.token().isOlderThan(last)).isFalse();
      last = last.merge(lease.token());
      lease.release();
    }
    return Duration.ofNanos(longest);
  }

  @Test
  void withTwoOfFiveKilledItWorks() throws InterruptedException {
    QuorumLock one = lock();
    QuorumLock two = lock();
    System.out.println("longest acquisition, all alive: " + longest(one));
    QuorumLease before = one.acquire();
    servers.get(0).kill();
    servers.get(1).kill();

    assertThat(two.tryAcquire(Duration.ZERO)).isEmpty();
    eventually().until(() -> before.nodes() == NODES - 2);
    assertThat(before.isValid()).isTrue();
    before.release();
    System.out.println("longest acquisition, two killed: " + longest(two));
    try (QuorumLease lease = two.acquire()) {
      assertThat(lease.nodes()).isEqualTo(3);
      assertThat(one.tryAcquire(Delays.millis(400))).isEmpty();
    }
    one.acquire().release();
  }

  @Test
  void withThreeOfFiveKilledItIsRefusedInTimeAndAHolderHearsOfIt() throws InterruptedException {
    QuorumLock one = lock();
    QuorumLock two = lock();
    QuorumLease held = one.acquire();
    for (int i = 0; i < 3; i++) {
      servers.get(i).kill();
    }

    Duration limit = Duration.ofSeconds(1);
    long start = System.nanoTime();
    assertThatThrownBy(() -> two.tryAcquire(limit)).isInstanceOf(StoreUnavailableException.class);
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    System.out.println("refused with a limit of " + limit + " after " + took);
    assertThat(took).isLessThan(limit.plus(Delays.millis(2_000)));
    start = System.nanoTime();
    assertThatThrownBy(() -> two.tryAcquire(Duration.ZERO))
        .isInstanceOf(StoreUnavailableException.class);
    System.out.println("refused at once after " + Duration.ofNanos(System.nanoTime() - start));

    eventually().until(() -> held.lost().toCompletableFuture().isDone());
    assertThat(held.isValid()).isFalse();
    assertThatThrownBy(held::release).isInstanceOf(LeaseLostException.class);
  }

  @Test
  void aFrozenServerSlowsNobodyBeyondTheNodeTimeout() throws InterruptedException {
    QuorumLock lock = lock();
    QuorumLock other = lock();
    lock.acquire().release();
    servers.get(2).freeze();

    Duration longest = longest(lock);
    System.out.println("longest acquisition, one frozen: " + longest);
    assertThat(longest).isLessThan(NODE_TIMEOUT.plus(Delays.millis(1_000)));
    try (QuorumLease lease = lock.acquire()) {
      assertThat(lease.isValid()).isTrue();
      long start = System.nanoTime();
      assertThat(other.tryAcquire(Duration.ZERO)).isEmpty();
      System.out.println("found taken, one frozen: " + Duration.ofNanos(System.nanoTime() - start));
      servers.get(2).thaw();
      eventually().until(() -> lease.nodes() == NODES);
    }
  }

  @Test
  void aLeaseOutlivesARestartOfOneServerAfterTheOther() throws InterruptedException {
    QuorumLock lock = lock();
    QuorumLease lease = lock.acquire();
    for (int i = 0; i < 3; i++) {
      eventually().until(() -> lease.nodes() == NODES);
      servers.get(i).kill();
      eventually().until(() -> lease.nodes() == NODES - 1);
      servers.get(i).restart(RedisServer.Data.LOST);
    }
    eventually().until(() -> lease.nodes() == NODES);
    assertThat(lease.isValid()).isTrue();
    lease.release();
  }

  @Test
  void aMultiLockOverThreeServersIsLostWithOneOfThem() throws InterruptedException {
    List<Lockkeeper> keepers = keepers();
    List<DistributedLock> locks = new ArrayList<>();
    for (Lockkeeper keeper : keepers.subList(0, 3)) {
      locks.add(keeper.lock(NAME)); // one name at three places: three resources
    }
    MultiLock lock = Lockkeeper.multiLock(locks);
    lock.lock();
    CompletableFuture<LeaseLost> lost = lock.heldLease().lost().toCompletableFuture();
    servers.get(1).kill();

    eventually().until(lost::isDone);
    assertThat(lost.join().reason()).isEqualTo(LeaseLost.Reason.EXPIRED);
    assertThat(lock.isHeldByCurrentThread()).isFalse();
    assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    for (int node : new int[] {0, 2}) {
      keepers
          .get(node)
          .lock(NAME)
          .acquire(AcquireOptions.defaults().withWait(Delays.patience()))
          .release();
    }
  }
}
