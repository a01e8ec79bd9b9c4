package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.HolderReport;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.LeaderListener;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLock;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.Term;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Chapter "Names and input". */
public abstract class NamesTck extends TckBase {

  private static final List<String> NAMES =
      List.of(
          "a",
          "A",
          "a ",
          " a",
          "{a}",
          "{b}a",
          "a}",
          "}{",
          "{",
          "{}",
          "a:b",
          "a/b",
          "a\\b",
          "*",
          "?",
          "[a]",
          "%s",
          "${a}",
          "\"",
          "'",
          "é",
          "e\u0301",
          "ключ",
          "鍵",
          "مفتاح",
          "🔑",
          "\u00a0",
          "x".repeat(512),
          "é".repeat(256),
          "🔑".repeat(128));

  @Test
  @Promise({"N1", "X3"})
  void anyNameCanBeLockedAndEachIsItsOwn() {
    Lockkeeper keeper = client();
    Lockkeeper other = client();
    NAMES.forEach(name -> assertThat(keeper.lock(name).tryLock()).as(name).isTrue());

    NAMES.forEach(name -> assertThat(other.lock(name).tryLock()).as(name).isFalse());

    NAMES.forEach(name -> assertThat(keeper.lock(name).name()).isEqualTo(name));
    NAMES.forEach(name -> keeper.lock(name).unlock());
    NAMES.forEach(this::awaitFree);
  }

  @Test
  @Promise("N1")
  void anyNameCanBeWaitedFor() {
    Lockkeeper keeper = client();
    Lockkeeper other = client();
    for (String name : NAMES) {
      keeper.lock(name).lock();
      Worker waiter = worker();
      var got = waiter.begin(other.fairLock(name)::lock);
      awaitWaiting(name, 1);
      keeper.lock(name).unlock();
      Worker.get(got);
      waiter.run(other.fairLock(name)::unlock);
    }
  }

  /** Some kinds have names at the store that are longer than what users write. */
  @Test
  @Promise("N1")
  void theLongestNamesAreEnoughForEveryKind() throws Exception {
    Lockkeeper keeper = client();
    Lockkeeper other = client();
    for (String name : List.of("x".repeat(504), "y".repeat(505), "z".repeat(512))) {
      DistributedSemaphore semaphore = keeper.semaphore(name, 1);
      semaphore.setPermits(2);
      semaphore.acquire(2).release();
      semaphore.resetPermits();
      keeper.readWriteLock(name).readLock().acquire().release();
      keeper.readWriteLock(name).writeLock().acquire().release();
      var first = keeper.barrier(name, 2).awaitAsync().toCompletableFuture();
      other.barrier(name, 2).await(Delays.patience());
      Worker.get(first);
      assertThat(keeper.counter(name).incrementAndGet()).isEqualTo(1);
      assertThat(keeper.counter(name).delete()).isTrue();
      keeper.sharedValue(name).set(name);
      assertThat(other.sharedValue(name).get()).isPresent();
      assertThat(keeper.sharedValue(name).delete()).isTrue();
      assertThat(keeper.countDownLatch(name).trySetCount(1)).isTrue();
      assertThat(keeper.countDownLatch(name).delete()).isTrue();
      try (LeaderElection candidate = keeper.leaderElection(name);
          LeaderElection observer = other.leaderElection(name)) {
        CountDownLatch elected = new CountDownLatch(1);
        candidate.start(
            new LeaderListener() {
              @Override
              public void elected(Term term) {
                elected.countDown();
              }

              @Override
              public void lost(Term term) {}
            });
        eventually().until(() -> elected.getCount() == 0);
        eventually().until(() -> observer.leader().isPresent());
      }
    }
  }

  @Test
  @Promise("N1")
  void anyNamespaceAndClientNameCanBeUsed() {
    for (String name : List.of("{", "{a}", "🔑 ключ", "a:b*?")) {
      Lockkeeper keeper = client(builder -> builder.namespace(namespace() + name).clientName(name));
      DistributedLock lock = keeper.lock(NAME);
      lock.lock();
      assertThat(keeper.clientName()).isEqualTo(name);
      lock.unlock();
    }
  }

  @Test
  @Promise("N2")
  void otherNamesAreRefusedWithTheReason() {
    Lockkeeper keeper = client();
    assertRefused(() -> keeper.lock(""), "empty");
    assertRefused(() -> keeper.fairLock(""), "empty");
    assertRefused(() -> keeper.lock("x".repeat(513)), "512");
    assertRefused(() -> keeper.lock("é".repeat(257)), "512");
    assertRefused(() -> keeper.lock("a\nb"), "control");
    assertRefused(() -> keeper.lock("a\u0000"), "control");
    assertRefused(() -> keeper.lock("\u007f"), "control");
    assertRefused(() -> keeper.lock("\u0085"), "control");
    assertRefused(() -> keeper.lock("a\ud83d"), "surrogate");
    assertRefused(() -> Lockkeeper.builder().namespace(""), "empty");
    assertRefused(() -> Lockkeeper.builder().clientName("\t"), "control");
  }

  /**
   * Prints the seed of its names, which the system property {@code lockkeeper.test.seed} takes
   * back.
   */
  @Test
  @Promise({"N1", "X3", "IN1", "IN4"})
  void randomNamesAreTheSameNamesWhereverTheyAreShown() throws InterruptedException {
    RandomNames random = new RandomNames();
    Set<String> names = random.valid(24);
    Lockkeeper keeper = client();
    Lockkeeper other = client();
    Map<String, Lease> leases = new LinkedHashMap<>();
    for (String name : names) {
      leases.put(name, keeper.lock(name).acquire());
      assertThat(keeper.counter(name).incrementAndGet()).as(random.about(name)).isEqualTo(1);
    }

    assertThat(other.admin().inspect())
        .as(random.toString())
        .extracting(ResourceReport::name)
        .containsExactlyInAnyOrderElementsOf(names);

    for (String name : names) {
      assertThat(other.lock(name).tryAcquire(Duration.ZERO)).as(random.about(name)).isEmpty();
      List<HolderReport> holders = other.admin().inspect(ResourceKind.LOCK, name).holders();
      assertThat(holders).as(random.about(name)).hasSize(1);
      assertThat(holders.get(0).name()).as(random.about(name)).isEqualTo(name);
      assertThat(other.admin().forceRelease(holders.get(0))).as(random.about(name)).isTrue();
      assertThat(other.counter(name).delete()).as(random.about(name)).isTrue();
    }
    leases.forEach(
        (name, lease) -> eventually().alias(random.about(name)).until(() -> !lease.isValid()));
  }

  @Test
  @Promise("N2")
  void randomNamesThatAreRefusedNeverReachTheStore() {
    RandomNames random = new RandomNames();
    Faults counted = faults();
    Lockkeeper keeper = client(counted);
    long before = counted.requests();
    for (int i = 0; i < 100; i++) {
      String name = random.invalid();
      for (ThrowingCallable use : waysOfNaming(keeper, name)) {
        assertThatIllegalArgumentException()
            .as(random.about(name))
            .isThrownBy(use)
            .withMessageContaining(RandomNames.fault(name));
      }
    }
    assertThat(counted.requests()).as(random.toString()).isEqualTo(before);
    assertThat(keeper.admin().inspect()).as(random.toString()).isEmpty();
  }

  private static List<ThrowingCallable> waysOfNaming(Lockkeeper keeper, String name) {
    return List.of(
        () -> keeper.lock(name),
        () -> keeper.fairLock(name),
        () -> keeper.readWriteLock(name),
        () -> keeper.semaphore(name, 1),
        () -> keeper.barrier(name, 2),
        () -> keeper.counter(name),
        () -> keeper.sharedValue(name),
        () -> keeper.countDownLatch(name),
        () -> keeper.leaderElection(name),
        () -> keeper.admin().inspect(ResourceKind.LOCK, name),
        () -> Lockkeeper.builder().namespace(name),
        () -> Lockkeeper.builder().clientName(name));
  }

  @Test
  @Promise("N3")
  void leasesOutsideTheBoundsAreRefusedEverywhere() throws InterruptedException {
    Lockkeeper keeper = client();
    DistributedLock lock = keeper.lock(NAME);
    Lease lease = keeper.lock("other").acquire();
    List<Duration> wrong =
        List.of(
            Duration.ofMillis(50).minusNanos(1),
            Duration.ZERO,
            Duration.ofSeconds(-1),
            Duration.ofHours(24).plusNanos(1),
            Duration.ofSeconds(Long.MAX_VALUE));
    for (Duration d : wrong) {
      assertRefused(() -> lock.lock(fixed(d)), "50 ms to 24 h");
      assertRefused(() -> lock.tryLock(fixed(d).withWait(Duration.ZERO)), "50 ms to 24 h");
      assertRefused(() -> fixed(d), "50 ms to 24 h");
      assertRefused(() -> LockOptions.defaults().withLease(d), "50 ms to 24 h");
      assertRefused(() -> Lockkeeper.builder().lease(d), "50 ms to 24 h");
      assertRefused(() -> lease.renew(d), "50 ms to 24 h");
    }
    assertThat(inspect(NAME).holder()).isNull();
    lease.release();
  }

  @Test
  @Promise("N3")
  void leasesAtTheBoundsAreGranted() throws InterruptedException {
    DistributedLock lock = client().lock(NAME);
    lock.lock(fixed(Duration.ofHours(24)));
    assertThat(lock.heldLease().remaining()).isGreaterThan(Duration.ofHours(23));
    lock.unlock();
    Lockkeeper shortest = client(builder -> builder.lease(Duration.ofMillis(50)));
    // unlock does not wait for the store, so the lock may still be on its way back
    assertThat(shortest.lock(NAME).tryLock(Delays.millis(2_000))).isTrue();
    shortest.close();
  }

  @Test
  @Promise("N3")
  void settingsThatDoNotFitTogetherAreRefused() {
    Duration lease = Duration.ofSeconds(10);
    assertRefused(
        () ->
            Lockkeeper.builder()
                .lease(lease)
                .renewalInterval(lease.dividedBy(2).plusNanos(1))
                .connect(store().factory()),
        "half");
    assertRefused(() -> Lockkeeper.builder().renewalInterval(Duration.ZERO), "positive");
    assertRefused(() -> Lockkeeper.builder().storeTimeout(Duration.ofSeconds(-1)), "positive");
    assertRefused(() -> LockOptions.defaults().withMaxLocalHandoffs(-1), "0 to 1000");
    assertRefused(() -> LockOptions.defaults().withMaxLocalHandoffs(1_001), "0 to 1000");
  }

  @Test
  @Promise("N4")
  void nullIsRefusedBeforeAnythingHasChanged() throws InterruptedException {
    Lockkeeper keeper = client();
    DistributedLock lock = keeper.lock(NAME);
    Lease lease = keeper.lock("other").acquire();
    assertNull(() -> keeper.lock(nothing()));
    assertNull(() -> keeper.lock(NAME, nothing()));
    assertNull(() -> keeper.fairLock(NAME, nothing()));
    assertNull(() -> lock.lock(NamesTck.<AcquireOptions>nothing()));
    assertNull(() -> lock.tryLock(1, nothing()));
    assertNull(() -> lock.tryLock(NamesTck.<AcquireOptions>nothing()));
    assertNull(() -> lock.tryLock(NamesTck.<Duration>nothing()));
    assertNull(() -> lock.run(NamesTck.<LeaseLock.Action<RuntimeException>>nothing()));
    assertNull(() -> lock.run(NamesTck.<LeaseLock.LeaseAction<Lease, RuntimeException>>nothing()));
    assertNull(() -> lock.run(AcquireOptions.defaults(), nothing()));
    assertNull(() -> lock.call(NamesTck.<LeaseLock.Task<String, RuntimeException>>nothing()));
    assertNull(
        () -> lock.call(NamesTck.<LeaseLock.LeaseTask<Lease, String, RuntimeException>>nothing()));
    assertNull(() -> lock.call(AcquireOptions.defaults(), nothing()));
    assertNull(() -> lock.tryRun(Duration.ZERO, nothing()));
    assertNull(() -> lock.tryCall(Duration.ZERO, nothing()));
    assertNull(() -> keeper.semaphore("s", 1).run(nothing()));
    assertNull(() -> keeper.leaderElection("e").runWhileLeader(nothing()));
    assertNull(() -> lock.tryAcquire(nothing()));
    assertNull(() -> lock.acquire(nothing()));
    assertNull(() -> lock.acquireAsync(nothing()));
    assertNull(() -> lease.onLost(nothing()));
    assertNull(() -> lease.renew(nothing()));
    assertNull(() -> Lockkeeper.connect(nothing()));
    assertNull(() -> Lockkeeper.builder().listener(nothing()));
    assertNull(() -> Lockkeeper.builder().executor(nothing()));
    assertThat(inspect(NAME).holder()).isNull();
    lease.release();
  }

  @Test
  @Promise("N5")
  void anUnknownSchemeListsTheKnownOnes() {
    String known = store().url().substring(0, store().url().indexOf(':'));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Lockkeeper.connect("nosuchstore://localhost"))
        .withMessageContaining("nosuchstore")
        .withMessageContaining(known);
    assertThatIllegalArgumentException().isThrownBy(() -> Lockkeeper.connect("no scheme"));
  }

  @Test
  @Promise("N5")
  void aUrlLeadsToTheStore() {
    try (Lockkeeper keeper = Lockkeeper.builder().namespace(namespace()).connect(store().url())) {
      DistributedLock lock = keeper.lock(NAME);
      lock.lock();
      assertThat(client().lock(NAME).tryLock()).isFalse();
      lock.unlock();
    }
  }

  @Test
  @Promise("N5")
  void anUnreachableServerIsToldByHostAndPortAndWithoutThePassword() {
    Assumptions.assumeTrue(
        store().unreachableUrl().isPresent(), "this kind of store has no server to be unreachable");
    String url = store().unreachableUrl().orElseThrow();
    URI address = store().unreachableAddress();
    assertThat(address.getHost()).as("the host of unreachableUrl(), %s", url).isNotNull();

    assertThatThrownBy(() -> Lockkeeper.connect(url))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining(address.getHost())
        .hasMessageContaining(String.valueOf(address.getPort()))
        .satisfies(NamesTck::assertNoPassword);
  }

  private static void assertNoPassword(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      assertThat(String.valueOf(t)).doesNotContain("s3cret");
    }
  }

  private static void assertRefused(ThrowingCallable call, String reason) {
    assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining(reason);
  }

  private static void assertNull(ThrowingCallable call) {
    assertThatNullPointerException().isThrownBy(call);
  }

  /** Returns what no caller may pass. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothing() {
    return null;
  }
}
