package io.lockkeeper.redis;

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
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.Term;
import io.lockkeeper.servers.RedisServer;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Finding;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The account of {@code docs/STORAGE.md}, word for word: it suffices, and has no right too many.
 */
class RightsTest {

  /** Sent with the text of a script where a server has lost it again just after it was loaded. */
  private static final Set<String> FOR_NEED_ONLY = Set.of("eval");

  private final RedisServer server = RedisServer.start();

  @AfterEach
  void stop() {
    server.close();
  }

  private static List<String> documented() {
    try {
      String page = Files.readString(Path.of("../docs/STORAGE.md"));
      int begin = page.indexOf("ACL SETUSER locks");
      String line = page.substring(begin, page.indexOf("```", begin)).strip();
      return Arrays.asList(line.split("\\s+"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private String account(List<String> rights) {
    server.command(rights.toArray(String[]::new));
    return "redis://locks:PASSWORD@127.0.0.1:" + server.port();
  }

  @Test
  void theDocumentedAccountMayDoEverythingAndNothingMore() throws Exception {
    List<String> rights = documented();
    String url = account(rights);
    server.resetStats();

    useEverything(url);

    Set<String> used = new TreeSet<>();
    server
        .commandStats()
        .forEach((name, stat) -> used.add(name.replaceFirst("^script\\|load$", "script")));
    Set<String> granted = new TreeSet<>();
    for (String right : rights) {
      if (right.startsWith("+")) {
        granted.add(right.substring(1).replace("script|load", "script"));
      }
    }
    granted.removeAll(FOR_NEED_ONLY);
    assertThat(used).as("commands that were called").containsAll(granted);
    assertThat(denials()).as("what was denied").isEmpty();
  }

  /** Returns the commands that the account was not allowed, but for what drivers try anyway. */
  private List<String> denials() {
    List<String> denied = new ArrayList<>();
    for (Object entry : (List<?>) server.command("ACL", "LOG")) {
      List<?> fields = (List<?>) entry;
      String what = String.valueOf(fields.get(fields.indexOf("object") + 1));
      if (!what.startsWith("client|") && !what.equals("client")) {
        denied.add(what);
      }
    }
    return denied;
  }

  @Test
  void theDoctorFindsNoFaultWithIt() {
    List<Finding> findings =
        new RedisStoreProvider()
            .doctor(account(documented()))
            .orElseThrow()
            .examine(
                new StoreContext(
                    "doctor",
                    "doctor",
                    "lockkeeper",
                    Timings.DEFAULT,
                    new Environment(System::nanoTime, Threads::scheduler, new Random(1))));

    assertThat(findings).noneMatch(finding -> finding.verdict() == Finding.Verdict.FAIL);
    assertThat(findings.toString()).doesNotContain("PASSWORD");
  }

  @Test
  void outsideOfItsNamespaceTheAccountMayDoNothing() {
    String url = account(documented());

    Assertions.assertThatThrownBy(
            () -> Lockkeeper.builder().namespace("other").connect(url).close())
        .isInstanceOfSatisfying(
            StoreRefusedException.class,
            refused -> assertThat(refused.problem()).isEqualTo(StoreProblem.DENIED))
        .hasMessageNotContaining("PASSWORD");
  }

  /** Uses everything that a client can do, so that each command of the scripts has its turn. */
  private static void useEverything(String url) throws Exception {
    try (Lockkeeper a = Lockkeeper.connect(url);
        Lockkeeper b = Lockkeeper.connect(url)) {
      locks(a, b);
      shares(a, b);
      cells(a, b);
      elections(a, b);
    }
  }

  private static void locks(Lockkeeper a, Lockkeeper b) throws Exception {
    DistributedLock mine = a.lock("x");
    DistributedLock theirs = b.fairLock("x");
    Lease lease = mine.acquire();
    lease.renew(Duration.ofSeconds(60));
    assertThat(theirs.tryAcquire(Duration.ofMillis(50))).isEmpty();
    CompletableFuture<Lease> waiting = theirs.acquireAsync().toCompletableFuture();
    await().atMost(Delays.patience()).until(() -> !a.inspect().get(0).waiters().isEmpty());
    assertThat(b.inspect().get(0).holders().get(0).toString()).contains(a.clientName());
    lease.release();
    get(waiting);
    assertThat(mine.forceUnlock()).isTrue();
    Lease again = mine.acquire();
    HolderReport holder = a.inspect().get(0).holders().get(0);
    assertThat(b.forceRelease(holder)).isTrue();
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
    assertThat(a.inspect()).isNotNull();
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
