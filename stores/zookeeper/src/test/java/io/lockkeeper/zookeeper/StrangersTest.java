package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.LeaderListener;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.Term;
import io.lockkeeper.servers.ZooKeeperServer;
import io.lockkeeper.testkit.tck.Delays;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A client whose namespace it may enter, but whose nodes of every kind are another user's. Whatever
 * it asks for, it is refused with the node in the message, nobody waits, and nothing changes.
 */
@SuppressWarnings("LockNotBeforeTry") // what fails here fails the test
class StrangersTest {

  private static final Duration LONG = Duration.ofMinutes(10);
  private static final ZooKeeperServer SERVER = SharedServer.running();

  private final String address = SERVER.connectString() + "/strangers-" + UUID.randomUUID();
  private final String base = address.substring(address.indexOf('/')) + "/lockkeeper";

  /** Opened first, it makes the namespace, for everybody. */
  private final Lockkeeper stranger =
      Lockkeeper.connect(
          "zookeeper://other:pw@" + address + "?acl=open&connectTimeout=60s&timeout=60s");

  /** So long a lease that nothing of it is written anew while the test looks. */
  private final Lockkeeper owner =
      Lockkeeper.builder()
          .lease(LONG)
          .connect("zookeeper://app:s3cret@" + address + "?connectTimeout=60s&timeout=60s");

  private final RawTree tree = RawTree.of(SERVER, "app:s3cret");

  @AfterEach
  void close() {
    stranger.close();
    owner.close();
  }

  @Test
  void areRefusedEverythingAndChangeNothing() throws Exception {
    List<Lease> held =
        List.of(
            owner.lock("n").acquire(),
            owner.readWriteLock("n").writeLock().acquire(),
            owner.semaphore("n", 2).acquire());
    CompletableFuture<Void> member = owner.barrier("n", 2).awaitAsync().toCompletableFuture();
    owner.counter("n").set(7);
    owner.sharedValue("n").set("mine");
    assertThat(owner.countDownLatch("n").trySetCount(1, LONG)).isTrue();
    await()
        .atMost(Delays.patience())
        .until(() -> owner.admin().inspect(ResourceKind.BARRIER, "n").waiters().size() == 1);
    List<String> before = nodes();

    questions().forEach(this::isRefused);

    assertThat(nodes()).isEqualTo(before);
    assertThat(held).allMatch(Lease::isValid);
    assertThat(member).isNotDone();
    assertThat(owner.counter("n").get()).isEqualTo(7);
    held.forEach(Lease::release);
    member.cancel(false);
  }

  @Test
  void standInElectionsToBeToldOfTheRefusal() throws Exception {
    try (LeaderElection own = owner.leaderElection("n");
        LeaderElection strange = stranger.leaderElection("n")) {
      own.start(new Candidate());
      await().atMost(Delays.patience()).until(own::isLeader);
      Candidate refused = new Candidate();

      strange.start(refused);

      LockkeeperException failure =
          refused.failure.get(Delays.patience().toMillis(), TimeUnit.MILLISECONDS);
      assertThat(failure).isInstanceOf(StoreRefusedException.class).hasMessageContaining(base);
      assertThatThrownBy(strange::leader).isInstanceOf(StoreRefusedException.class);
      assertThat(own.isLeader()).isTrue();
    }
  }

  /** Returns the nodes of what is locked and counted: not those that say who is there. */
  private List<String> nodes() {
    return tree.described(base).stream()
        .filter(node -> !node.startsWith(base + "/m:") && !node.startsWith(base + "/!"))
        .toList();
  }

  private void isRefused(String question, ThrowingCallable call) {
    assertThatThrownBy(call)
        .as(question)
        .isInstanceOfSatisfying(
            StoreRefusedException.class,
            refused -> assertThat(refused.problem()).isEqualTo(StoreProblem.DENIED))
        .hasMessageContaining("the user 'other' the permission ")
        .hasMessageContaining(" on the node " + base)
        .hasMessageNotContaining("pw@");
  }

  /** Returns what a stranger asks for; the first word is the folder whose node it is refused. */
  private Map<String, ThrowingCallable> questions() {
    Map<String, ThrowingCallable> all = new LinkedHashMap<>();
    locks(all);
    shares(all);
    cells(all);
    all.put("lock inspect", () -> stranger.admin().inspect(ResourceKind.LOCK, "n"));
    all.put("lock inspect all", stranger.admin()::inspect);
    return all;
  }

  private void locks(Map<String, ThrowingCallable> all) {
    DistributedLock lock = stranger.lock("n");
    all.put("lock lock", lock::lock);
    all.put("lock tryLock", lock::tryLock);
    all.put("lock tryLock timed", () -> lock.tryLock(1, TimeUnit.MINUTES));
    all.put("lock fair", () -> stranger.fairLock("n").lock());
    all.put("lock force", lock::forceUnlock);
    all.put(
        "lock multi",
        () -> Lockkeeper.multiLock(List.of(stranger.lock("unused too"), lock)).acquire());
    all.put("rw read", () -> stranger.readWriteLock("n").readLock().lock());
    all.put("rw write", () -> stranger.readWriteLock("n").writeLock().lock());
  }

  private void shares(Map<String, ThrowingCallable> all) {
    DistributedSemaphore semaphore = stranger.semaphore("n", 2);
    all.put("sem acquire", semaphore::acquire);
    all.put(
        "sem acquire fixed",
        () -> semaphore.acquire(2, AcquireOptions.defaults().withFixedLease(LONG)));
    all.put("sem limit", () -> semaphore.setPermits(9));
    all.put("sem no limit", semaphore::resetPermits);
    all.put("bar await", () -> stranger.barrier("n", 2).await(LONG));
  }

  private void cells(Map<String, ThrowingCallable> all) {
    all.put("ctr get", () -> stranger.counter("n").get());
    all.put("ctr add", () -> stranger.counter("n").addAndGet(1));
    all.put("val get", () -> stranger.sharedValue("n").get());
    all.put("val set", () -> stranger.sharedValue("n").set("theirs"));
    all.put("lat get", () -> stranger.countDownLatch("n").getCount());
    all.put("lat set", () -> stranger.countDownLatch("n").trySetCount(1, LONG));
    all.put("lat await", () -> stranger.countDownLatch("n").await(10, TimeUnit.MINUTES));
  }

  /** Keeps the first failure. */
  private static final class Candidate implements LeaderListener {

    final CompletableFuture<LockkeeperException> failure = new CompletableFuture<>();

    @Override
    public void elected(Term term) {}

    @Override
    public void lost(Term term) {}

    @Override
    public void failed(LockkeeperException reason) {
      failure.complete(reason);
    }
  }
}
