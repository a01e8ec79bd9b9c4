package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.DistributedCountDownLatch;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.HolderReport;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.LeaderListener;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.PermitLease;
import io.lockkeeper.Registration;
import io.lockkeeper.SharedValue;
import io.lockkeeper.Term;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Everything that a client can do, once: for tests of what an account at the store must be allowed.
 */
public final class Everything {

  private Everything() {}

  /** Uses everything, by two clients of one namespace in which nothing else goes on. */
  public static void use(Lockkeeper a, Lockkeeper b) throws Exception {
    locks(a, b);
    shares(a, b);
    cells(a, b);
    elections(a, b);
  }

  private static void locks(Lockkeeper a, Lockkeeper b) throws Exception {
    DistributedLock mine = a.lock("x");
    DistributedLock theirs = b.fairLock("x");
    Lease lease = mine.acquire();
    lease.renew(Duration.ofSeconds(60));
    assertThat(theirs.tryAcquire(Duration.ofMillis(50))).isEmpty();
    CompletableFuture<Lease> waiting = theirs.acquireAsync().toCompletableFuture();
    await().atMost(Delays.patience()).until(() -> !a.admin().inspect().get(0).waiters().isEmpty());
    assertThat(b.admin().inspect().get(0).holders().get(0).toString()).contains(a.clientName());
    lease.release();
    get(waiting);
    assertThat(mine.forceUnlock()).isTrue();
    Lease again = mine.acquire();
    HolderReport holder = a.admin().inspect().get(0).holders().get(0);
    assertThat(b.admin().forceRelease(holder)).isTrue();
    await().atMost(Delays.patience()).until(() -> !again.isValid());
  }

  private static void shares(Lockkeeper a, Lockkeeper b) throws Exception {
    DistributedSemaphore mine = a.semaphore("s", 2);
    DistributedSemaphore theirs = b.semaphore("s", 2);
    PermitLease two = mine.acquire(2);
    assertThat(theirs.tryAcquire(1, Duration.ofMillis(50))).isEmpty();
    CompletableFuture<PermitLease> waiting = theirs.acquireAsync().toCompletableFuture();
    mine.setPermits(3);
    get(waiting).release();
    two.release(1);
    assertThat(theirs.release(two.id())).isTrue();
    mine.resetPermits();
    // One that ends by itself, so that somebody comes upon it.
    var unused = mine.acquire(2, AcquireOptions.defaults().withFixedLease(Duration.ofMillis(100)));
    theirs.acquire().release();
    a.readWriteLock("rw").readLock().acquire().release();
    Lease write = a.readWriteLock("rw").writeLock().acquire();
    assertThat(b.readWriteLock("rw").readLock().forceUnlock()).isTrue();
    await().atMost(Delays.patience()).until(() -> !write.isValid());
    CompletableFuture<Void> first = a.barrier("b", 2).awaitAsync().toCompletableFuture();
    b.barrier("b", 2).await(Delays.patience());
    get(first);
    assertThat(a.admin().inspect()).isNotNull();
  }

  private static void cells(Lockkeeper a, Lockkeeper b) throws Exception {
    assertThat(a.counter("c").addAndGet(3)).isEqualTo(3);
    assertThat(b.counter("c").get()).isEqualTo(3);
    assertThat(b.counter("c").delete()).isTrue();
    SharedValue value = a.sharedValue("v");
    AtomicInteger heard = new AtomicInteger();
    Registration watch = b.sharedValue("v").onChange(change -> heard.incrementAndGet());
    value.set("one");
    value.set("two");
    await().atMost(Delays.patience()).until(() -> heard.get() > 0);
    watch.close();
    DistributedCountDownLatch latch = a.countDownLatch("l");
    assertThat(latch.trySetCount(1, Duration.ofMinutes(1))).isTrue();
    b.countDownLatch("l").countDown();
    assertThat(latch.await(Delays.patience().toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    assertThat(latch.delete()).isTrue();
  }

  private static void elections(Lockkeeper a, Lockkeeper b) {
    try (LeaderElection candidate = a.leaderElection("e");
        LeaderElection observer = b.leaderElection("e")) {
      candidate.start(new Deaf());
      await().atMost(Delays.patience()).until(() -> observer.leader().isPresent());
    }
  }

  private static final class Deaf implements LeaderListener {

    @Override
    public void elected(Term term) {}

    @Override
    public void lost(Term term) {}
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(Delays.patience().toMillis(), TimeUnit.MILLISECONDS);
  }
}
