package io.lockkeeper.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperClosedException;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Runs the tests of nested classes, of which some are to fail. Their classes are not found alone.
 */
class LockkeeperExtensionTest {

  private static final Queue<Lockkeeper> SEEN = new ConcurrentLinkedQueue<>();
  private static final Set<String> PLACES = ConcurrentHashMap.newKeySet();

  @WithLockkeeper
  static class Leaks {

    @Test
    void aLock(Lockkeeper keeper) {
      SEEN.add(keeper);
      assertThat(keeper.lock("stock:1").tryLock()).isTrue();
    }

    @Test
    void aPermit(Lockkeeper keeper) throws InterruptedException {
      Lease permit = keeper.semaphore("gate", 2).acquire(1);
      assertThat(permit.isValid()).isTrue();
    }

    @Test
    void aWait(Lockkeeper keeper, TestClients clients) {
      assertThat(keeper.lock("a").tryLock()).isTrue();
      assertThat(keeper.lock("a").acquireAsync().toCompletableFuture().isDone()).isFalse();
      try (Lockkeeper closed = clients.open("closed")) {
        assertThat(closed.lock("a").acquireAsync().toCompletableFuture().isDone()).isFalse();
      }
    }

    @Test
    void aLockAfterAFailure(Lockkeeper keeper) {
      assertThat(keeper.lock("a").tryLock()).isTrue();
      SEEN.add(keeper);
      throw new IllegalStateException("of the test");
    }

    @Test
    void aClient(TestClients clients) {
      SEEN.add(clients.open("left behind"));
    }
  }

  @Test
  void whatIsLeftFailsTheTestByItsName() {
    SEEN.clear();
    Run run = Run.of(Leaks.class);

    assertThat(run.failures())
        .containsOnlyKeys("aLock", "aPermit", "aWait", "aLockAfterAFailure", "aClient");
    assertThat(run.results().get("aLock"))
        .isEqualTo(
            "java.lang.AssertionError: Leaks.aLock is over, and the thread '%s' holds the lock"
                + " 'stock:1' by the client 'Leaks.aLock'",
            Thread.currentThread().getName());
    assertThat(run.results().get("aPermit")).contains("holds the semaphore 'gate'");
    assertThat(run.results().get("aWait"))
        .contains("holds the lock 'a'", "waits for the lock 'a'")
        .doesNotContain("closed");
    assertThat(run.results().get("aLockAfterAFailure"))
        .isEqualTo("java.lang.IllegalStateException: of the test");
    assertThat(run.results().get("aClient"))
        .isEqualTo(
            "java.lang.AssertionError: Leaks.aClient is over, and the client 'left behind' is open");
    assertThat(SEEN)
        .hasSize(3)
        .allSatisfy(
            keeper ->
                assertThatThrownBy(() -> keeper.admin().ping(Duration.ofSeconds(1)))
                    .isInstanceOf(LockkeeperClosedException.class));
  }

  @WithLockkeeper
  static class Clean {

    private Lockkeeper before = Lockkeeper.connect("memory:unused");

    @BeforeEach
    void prepare(Lockkeeper keeper) {
      before.close();
      before = keeper;
      assertThat(keeper.lock("held before and after").tryLock()).isTrue();
    }

    @AfterEach
    void giveBack(Lockkeeper keeper) {
      keeper.lock("held before and after").unlock();
    }

    @Test
    void allMethodsOfATestHaveOneClient(Lockkeeper keeper) {
      assertThat(keeper).isSameAs(before);
    }

    @Test
    void reentryAndWhatWasNotAcquired(Lockkeeper keeper, TestClients clients) {
      try (Lockkeeper other = clients.open("other")) {
        keeper.lock("a").run(() -> keeper.lock("a").run(() -> assertThat(other).isNotNull()));
        assertThat(other.lock("held before and after").tryLock()).isFalse();
      }
    }

    @Test
    void aClientThatIsClosedInTheMiddleOfIt(TestClients clients) {
      try (Lockkeeper other = clients.open("dies")) {
        assertThat(other.lock("a").tryLock()).isTrue();
      }
    }

    @Test
    void aLeaseThatEnded(Lockkeeper keeper) throws Exception {
      Lease lease =
          keeper.lock("a").acquire(AcquireOptions.defaults().withFixedLease(Duration.ofMillis(50)));
      lease.lost().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    @Nested
    class Inside {

      @Test
      void nestedTestsToo(Lockkeeper keeper) {
        assertThat(keeper).isSameAs(before);
      }
    }
  }

  @Test
  void whatIsGivenBackIsNoLeak() {
    Run run = Run.of(Clean.class);

    assertThat(run.failures()).isEmpty();
    assertThat(run.succeeded()).isEqualTo(5);
  }

  @WithLockkeeper(url = "memory:of-the-annotation")
  @Execution(ExecutionMode.CONCURRENT)
  static class SideBySide {

    private static final CyclicBarrier BOTH = new CyclicBarrier(2);

    private static void hold(Lockkeeper keeper, TestClients clients) throws Exception {
      PLACES.add(clients.url());
      assertThat(keeper.lock("a").tryLock()).isTrue();
      BOTH.await(30, TimeUnit.SECONDS);
      keeper.lock("a").unlock();
    }

    @Test
    void one(Lockkeeper keeper, TestClients clients) throws Exception {
      hold(keeper, clients);
    }

    @Test
    void two(Lockkeeper keeper, TestClients clients) throws Exception {
      hold(keeper, clients);
    }
  }

  @Test
  void testsOnOneStoreDoNotExcludeEachOther() {
    PLACES.clear();
    Run run =
        Run.of(
            SideBySide.class,
            "junit.jupiter.execution.parallel.enabled",
            "true",
            "junit.jupiter.execution.parallel.config.strategy",
            "fixed",
            "junit.jupiter.execution.parallel.config.fixed.parallelism",
            "2");

    assertThat(run.failures()).isEmpty();
    assertThat(run.succeeded()).isEqualTo(2);
    assertThat(PLACES).containsExactly("memory:of-the-annotation");
  }

  static class Registered {

    @RegisterExtension
    static final LockkeeperExtension LOCKS = new LockkeeperExtension(() -> "memory:registered");

    @Test
    void test(TestClients clients) {
      PLACES.add(clients.url());
    }
  }

  @WithLockkeeper
  static class Plain {

    @Test
    void test(TestClients clients) {
      PLACES.add(clients.url());
    }
  }

  @Test
  void theStoreIsThatOfTheExtensionOrOfTheProperty() {
    PLACES.clear();
    assertThat(Run.of(Registered.class).succeeded()).isEqualTo(1);
    assertThat(
            Run.of(Plain.class, LockkeeperExtension.URL_PROPERTY, "memory:by-property").failures())
        .isEmpty();
    assertThat(PLACES).containsExactlyInAnyOrder("memory:registered", "memory:by-property");
  }

  @WithLockkeeper(url = "memory:application", namespace = "shop")
  static class OfAnApplication {

    @Test
    void itsLocksAreSeen(Lockkeeper keeper) {
      try (Lockkeeper application =
          Lockkeeper.builder().namespace("shop").connect("memory:application")) {
        assertThat(application.lock("stock:1").tryLock()).isTrue();
        assertThat(keeper.lock("stock:1").tryLock()).isFalse();
      }
    }
  }

  @Test
  void aTestCanBeInTheNamespaceOfAnApplication() {
    assertThat(Run.of(OfAnApplication.class).failures()).isEmpty();
  }

  @Test
  void aRedisGrantsAtOnceUnlessTheAddressSaysOtherwise() {
    assertThat(url("redis://h")).isEqualTo("redis://h?afterLoss=grant");
    assertThat(url("rediss://h?timeout=1s")).isEqualTo("rediss://h?timeout=1s&afterLoss=grant");
    assertThat(url("redis://h?afterLoss=wait")).isEqualTo("redis://h?afterLoss=wait");
    assertThat(url("memory:a")).isEqualTo("memory:a");
  }

  private static String url(String given) {
    return new TestClients(given, "", "a test").url();
  }
}
