package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.servers.ZooKeeperEnsemble;
import io.lockkeeper.servers.ZooKeeperServer;
import io.lockkeeper.servers.net.PrivateNetwork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What clients notice when a server of an ensemble is cut off from the other two, while all clients
 * still reach all three. Skipped where there can be no network namespaces, except with {@code
 * CI=true}.
 */
@SuppressWarnings("LockNotBeforeTry") // what fails here fails the test
class PartitionTest {

  private static final boolean MUST_BE_POSSIBLE = "true".equals(System.getenv("CI"));
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Short, so that its end is seen soon; no test asks for anything within it. */
  private static final Duration SHORT_LEASE = Duration.ofSeconds(4);

  private static ZooKeeperEnsemble ensemble;

  private final String namespace = "partition-" + UUID.randomUUID();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private ZooKeeperServer victim;

  @BeforeAll
  static void start() {
    Optional<String> obstacle = PrivateNetwork.obstacle();
    if (MUST_BE_POSSIBLE) {
      assertThat(obstacle).isEmpty();
    }
    assumeTrue(obstacle.isEmpty(), () -> obstacle.orElse(""));
    ensemble = ZooKeeperServer.builder().ownNetwork().startEnsemble();
  }

  @AfterAll
  static void stop() {
    if (ensemble != null) {
      ensemble.close();
    }
  }

  @BeforeEach
  void allIsWell() {
    ensemble.awaitWhole();
    victim = ensemble.leader();
  }

  @AfterEach
  void close() throws Exception {
    victim.thawIfFrozen();
    ensemble.heal();
    for (AutoCloseable one : opened) {
      one.close();
    }
  }

  private Lockkeeper open(List<ZooKeeperServer> servers, Duration lease) {
    return open(servers, lease, "timeout=2s");
  }

  private Lockkeeper open(List<ZooKeeperServer> servers, Duration lease, String parameters) {
    String hosts =
        servers.stream().map(ZooKeeperServer::connectString).collect(Collectors.joining(","));
    Lockkeeper client =
        Lockkeeper.builder()
            .namespace(namespace)
            .lease(lease)
            .connect("zookeeper://" + hosts + "?connectTimeout=20s&" + parameters);
    opened.add(client);
    return client;
  }

  private Lockkeeper openAt(ZooKeeperServer server) {
    Links links = new Links(ensemble);
    Lockkeeper client = links.clientAt(server, namespace);
    opened.add(client);
    opened.add(links);
    return client;
  }

  private List<ZooKeeperServer> others() {
    return ensemble.servers().stream().filter(server -> server != victim).toList();
  }

  @Test
  void aLeaderThatIsCutOffTakesNoLockWithIt() throws Exception {
    checkWhileCut(() -> ensemble.isolate(victim));
  }

  @Test
  void aFollowerThatIsCutOffTakesNoLockWithIt() throws Exception {
    victim = ensemble.followers().get(0);
    checkWhileCut(() -> ensemble.isolate(victim));
  }

  @Test
  @Tag("slow")
  void aLeaderThatNobodyHearsTakesNoLockWithIt() throws Exception {
    checkWhileCut(() -> ensemble.mute(victim));
  }

  @Test
  @Tag("slow")
  void aLeaderThatHearsNobodyTakesNoLockWithIt() throws Exception {
    checkWhileCut(() -> ensemble.deafen(victim));
  }

  @Test
  @Tag("slow")
  void aFollowerThatNobodyHearsTakesNoLockWithIt() throws Exception {
    victim = ensemble.followers().get(0);
    checkWhileCut(() -> ensemble.mute(victim));
  }

  @Test
  @Tag("slow")
  void aFollowerThatHearsNobodyTakesNoLockWithIt() throws Exception {
    victim = ensemble.followers().get(0);
    checkWhileCut(() -> ensemble.deafen(victim));
  }

  /**
   * Who is connected to the victim and may change to another server keeps its lock. Who may not
   * loses it, and knows that before another has it. Who asks there gets nothing. All go on in the
   * end, and nothing is left.
   */
  private void checkWhileCut(Runnable cut) throws Exception {
    Lockkeeper roaming = openAt(victim);
    Lockkeeper stuck = open(List.of(victim), SHORT_LEASE);
    Lockkeeper late = open(List.of(victim), SHORT_LEASE);
    Lockkeeper outside = open(others(), Duration.ofSeconds(20));
    DistributedLock kept = roaming.lock("kept");
    kept.lock();
    long keptToken = kept.token();
    Lease lost = stuck.lock("lost").acquire();
    CompletableFuture<Boolean> heard = new CompletableFuture<>();
    lost.onLost(loss -> heard.complete(true));

    cut.run();
    CompletableFuture<Lease> next = outside.lock("lost").acquireAsync().toCompletableFuture();
    CompletableFuture<Boolean> lostBeforeNext = next.thenApply(lease -> !lost.isValid());
    DistributedLock free = outside.lock("free");
    await().pollInSameThread().atMost(LIMIT).until(() -> isTaken(free));
    CompletableFuture<Lease> asked = late.lock("free").acquireAsync().toCompletableFuture();

    assertThat(lostBeforeNext.get(60, TimeUnit.SECONDS)).isTrue();
    assertThat(next.join().token()).isGreaterThan(lost.token());
    assertThat(heard.get(60, TimeUnit.SECONDS)).isTrue();
    await().pollInSameThread().atMost(LIMIT).until(() -> isRefused(outside.lock("kept")));
    assertThat(kept.isHeldByCurrentThread()).isTrue();
    assertThat(kept.token()).isEqualTo(keptToken);
    assertThat(hasGot(asked)).isFalse();
    assertThat(free.isHeldByCurrentThread()).isTrue();

    ensemble.heal();
    ensemble.awaitWhole();
    long freeToken = free.token();
    free.unlock();
    next.join().release();
    kept.unlock();
    release(late, asked, freeToken);
    try (Lease again = stuck.lock("lost").acquire()) {
      assertThat(again.token()).isGreaterThan(next.join().token());
    }
    DistributedLock last = outside.lock("kept");
    last.lock();
    assertThat(last.token()).isGreaterThan(keptToken);
    last.unlock();
    await().atMost(LIMIT).until(() -> outside.admin().inspect().isEmpty());
    ZooKeeperTckStore store = new ZooKeeperTckStore(victim);
    await().atMost(LIMIT).until(() -> store.residue(namespace).isEmpty());
  }

  /** Gets, in this attempt or another, what was asked for while the answers could not come. */
  private static void release(Lockkeeper late, CompletableFuture<Lease> asked, long freeToken)
      throws Exception {
    Lease lease;
    try {
      lease = asked.get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(StoreUnavailableException.class);
      lease = late.lock("free").acquire();
    }
    assertThat(lease.token()).isGreaterThan(freeToken);
    lease.release();
  }

  private static boolean hasGot(CompletableFuture<?> asked) {
    return asked.isDone() && !asked.isCompletedExceptionally();
  }

  private static boolean isTaken(DistributedLock lock) {
    try {
      return lock.tryLock();
    } catch (StoreUnavailableException notYet) {
      return false;
    }
  }

  private static boolean isRefused(DistributedLock lock) {
    try {
      assertThat(lock.tryLock()).isFalse();
      return true;
    } catch (StoreUnavailableException notYet) {
      return false;
    }
  }

  /**
   * A leader that stood still does not know how long, and takes itself for the leader for a moment
   * after it runs again. What it then says may be old. The first that it reads is what was sent to
   * it meanwhile, by a client that is patient and so still connected.
   */
  @Test
  void aLeaderThatStoodStillAndIsCutOffTellsNothingOld() throws Exception {
    Lockkeeper there =
        open(List.of(victim), Duration.ofSeconds(20), "timeout=60s&sessionTimeout=60s");
    Lockkeeper outside = open(others(), Duration.ofSeconds(20));
    DistributedLock lock = outside.lock("n");
    there.counter("n").set(1);
    ensemble.isolate(victim);
    victim.freeze();
    await().atMost(LIMIT).until(() -> others().stream().anyMatch(ZooKeeperServer::isLeader));
    await().atMost(LIMIT).until(() -> isSet(outside, 2));
    await().pollInSameThread().atMost(LIMIT).until(() -> isTaken(lock));

    CompletableFuture<Long> seen = there.counter("n").getAsync().toCompletableFuture();
    CompletableFuture<Lease> asked = there.lock("n").acquireAsync().toCompletableFuture();
    victim.thaw();

    await().atMost(LIMIT).until(() -> !victim.isServing());
    assertThat(hasGot(seen) ? seen.join() : 2).isEqualTo(2);
    assertThat(hasGot(asked)).isFalse();
    ensemble.heal();
    ensemble.awaitWhole();
    lock.unlock();
    release(there, asked, 0);
    outside.counter("n").delete();
  }

  private static boolean isSet(Lockkeeper client, long value) {
    try {
      client.counter("n").set(value);
      return true;
    } catch (LockkeeperException notYet) {
      return false;
    }
  }
}
