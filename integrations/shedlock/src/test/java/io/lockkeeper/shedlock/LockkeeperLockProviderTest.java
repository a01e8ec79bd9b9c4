package io.lockkeeper.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.HolderReport;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import java.lang.reflect.Constructor;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.KeepAliveLockProvider;
import org.junit.jupiter.api.Test;

/** What ShedLock's own kit for providers lacks. */
class LockkeeperLockProviderTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  private static final Duration LEAST = Duration.ofSeconds(4);

  private static LockConfiguration job(Duration atMost, Duration atLeast) {
    return new LockConfiguration(Instant.now(), "job", atMost, atLeast);
  }

  /** A lease from then on is a whole one, and not that of a waiter who has a second to take it. */
  private static void awaitFree(Lockkeeper keeper, String name) {
    await().atMost(LONG).until(() -> !keeper.lock(name).isLocked());
  }

  @Test
  void anExpiredHolderTouchesNobodyElse() throws Exception {
    try (Lockkeeper keeper = Lockkeeper.connect("memory:shedlock-expired")) {
      LockkeeperLockProvider provider = new LockkeeperLockProvider(keeper, "x:");
      SimpleLock first = provider.lock(job(Duration.ofMillis(100), Duration.ZERO)).orElseThrow();
      awaitFree(keeper, "x:job");
      try (Lease second = keeper.lock("x:job").acquire()) {
        assertThat(first.extend(Duration.ofSeconds(10), Duration.ZERO)).isEmpty();
        assertThat(second.isValid()).isTrue();
      }
      SimpleLock third = provider.lock(job(Duration.ofMillis(100), Duration.ZERO)).orElseThrow();
      awaitFree(keeper, "x:job");
      try (Lease fourth = keeper.lock("x:job").acquire()) {
        third.unlock();
        assertThat(keeper.lock("x:job").isLocked()).isTrue();
        assertThat(fourth.isValid()).isTrue();
      }
    }
  }

  @Test
  void aJobThatTookLongerThanItsLockIsWarnedOf() {
    Queue<LogRecord> logged = new ConcurrentLinkedQueue<>();
    Logger logger = Logger.getLogger(LockkeeperLockProvider.class.getName());
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            logged.add(record);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(handler);
    try (Lockkeeper keeper = Lockkeeper.connect("memory:shedlock-too-long")) {
      LockkeeperLockProvider provider = new LockkeeperLockProvider(keeper);
      provider.lock(job(LEAST, Duration.ZERO)).orElseThrow().unlock();
      assertThat(logged).isEmpty();
      SimpleLock lock = provider.lock(job(Duration.ofMillis(50), Duration.ZERO)).orElseThrow();
      await().atMost(LONG).until(() -> !keeper.lock("job").isLocked());

      lock.unlock();

      assertThat(logged)
          .singleElement()
          .satisfies(
              record -> {
                assertThat(record.getLevel()).isEqualTo(Level.WARNING);
                assertThat(record.getMessage()).startsWith("job: its lock was over before the job");
              });
    } finally {
      logger.removeHandler(handler);
    }
  }

  @Test
  void atLeastOutlastsTheClientAndEndsByItself() {
    try (Lockkeeper keeper = Lockkeeper.connect("memory:shedlock-at-least")) {
      LockkeeperLockProvider provider = new LockkeeperLockProvider(keeper);
      Lockkeeper first = Lockkeeper.connect("memory:shedlock-at-least");
      SimpleLock job =
          new LockkeeperLockProvider(first)
              .lock(job(Duration.ofSeconds(30), Duration.ofSeconds(5)))
              .orElseThrow();
      job.unlock();
      first.close();

      assertThat(provider.lock(job(Duration.ofSeconds(1), Duration.ZERO))).isEmpty();
      assertThat(keeper.admin().inspect(ResourceKind.LOCK, "job").holders())
          .singleElement()
          .matches(HolderReport::resting);
      await()
          .atMost(LONG)
          .until(() -> provider.lock(job(Duration.ofSeconds(1), Duration.ZERO)).isPresent());
    }
  }

  /** On a machine that has much to do 30 milliseconds may be over before there is an extension. */
  private static Optional<SimpleLock> extendedInTime(LockkeeperLockProvider provider) {
    return provider
        .lock(job(Duration.ofMillis(30), Duration.ZERO))
        .flatMap(brief -> brief.extend(Duration.ofSeconds(10), Duration.ZERO));
  }

  @Test
  void anExtensionOutlastsALockOfLessThanFiftyMilliseconds() {
    try (Lockkeeper keeper = Lockkeeper.connect("memory:shedlock-brief")) {
      LockkeeperLockProvider provider = new LockkeeperLockProvider(keeper);
      SimpleLock extended =
          await().atMost(LONG).until(() -> extendedInTime(provider), Optional::isPresent).get();

      await()
          .during(Duration.ofMillis(300))
          .atMost(LONG)
          .until(() -> keeper.lock("job").isLocked());
      extended.unlock();
      await().atMost(LONG).until(() -> !keeper.lock("job").isLocked());
    }
  }

  @Test
  void aLockWhoseTimeIsUpIsNotExtendedThoughTheTimerIsLate() throws Exception {
    CountDownLatch extended = new CountDownLatch(1);
    Executor timer = CompletableFuture.delayedExecutor(0, TimeUnit.NANOSECONDS, Runnable::run);
    try (Lockkeeper keeper = Lockkeeper.connect("memory:shedlock-late")) {
      LockkeeperLockProvider provider = new LockkeeperLockProvider(keeper);
      timer.execute(() -> awaitQuietly(extended));
      SimpleLock brief = provider.lock(job(Duration.ofMillis(2), Duration.ZERO)).orElseThrow();
      Thread.sleep(4); // its two milliseconds are over
      try {
        assertThat(brief.extend(Duration.ofSeconds(10), Duration.ZERO)).isEmpty();
        assertThat(keeper.lock("job").isLocked()).isFalse();
      } finally {
        extended.countDown();
      }
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void shedLocksKeepAliveKeepsTheLockAsLongAsTheJobRuns() throws Exception {
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try (Lockkeeper keeper = Lockkeeper.connect("memory:shedlock-keep-alive")) {
      SimpleLock lock =
          keepAlive(new LockkeeperLockProvider(keeper), timer)
              .lock(job(Duration.ofSeconds(2), Duration.ZERO))
              .orElseThrow();

      await().during(Duration.ofSeconds(5)).atMost(LONG).until(() -> keeper.lock("job").isLocked());
      lock.unlock();
      await().atMost(LONG).until(() -> !keeper.lock("job").isLocked());
      assertThat(keeper.admin().inspect()).isEmpty();
    } finally {
      timer.shutdownNow();
    }
  }

  /** Its public constructor wants jobs of at least half a minute. */
  private static KeepAliveLockProvider keepAlive(
      ExtensibleLockProvider provider, ScheduledExecutorService timer) throws Exception {
    Constructor<KeepAliveLockProvider> constructor =
        KeepAliveLockProvider.class.getDeclaredConstructor(
            ExtensibleLockProvider.class, ScheduledExecutorService.class, Duration.class);
    constructor.setAccessible(true);
    return constructor.newInstance(provider, timer, Duration.ofSeconds(1));
  }

  @Test
  void closingKeepsTheLockOfAJobThatGoesOnAsLongAsItMayLast() {
    try (Lockkeeper others = Lockkeeper.connect("memory:shedlock-close")) {
      Lockkeeper keeper = Lockkeeper.connect("memory:shedlock-close");
      LockkeeperLockProvider provider =
          new LockkeeperLockProvider(keeper, "", Duration.ofMillis(10));
      SimpleLock first = provider.lock(job(Duration.ofSeconds(30), LEAST)).orElseThrow();
      SimpleLock job = first.extend(Duration.ofSeconds(5), LEAST).orElseThrow();

      provider.close();
      assertThat(provider.lock(job(Duration.ofSeconds(5), Duration.ZERO)))
          .as("of a closed provider")
          .isEmpty();
      keeper.close();
      job.unlock();

      assertThat(others.admin().inspect(ResourceKind.LOCK, "job").holders())
          .singleElement()
          .matches(HolderReport::resting);
      await().atMost(LONG).until(() -> !others.lock("job").isLocked());
    }
  }

  @Test
  void closingWaitsForJobsWhichThenGiveTheirLocksBackAsAlways() throws Exception {
    try (Lockkeeper keeper = Lockkeeper.connect("memory:shedlock-wait")) {
      LockkeeperLockProvider provider = new LockkeeperLockProvider(keeper, "", LONG);
      SimpleLock brief = provider.lock(job(Duration.ofHours(1), Duration.ZERO)).orElseThrow();
      SimpleLock least =
          provider
              .lock(new LockConfiguration(Instant.now(), "least", Duration.ofHours(1), LEAST))
              .orElseThrow();
      Thread closing = new Thread(provider::close);
      closing.start();
      await().atMost(LONG).until(() -> closing.getState() == Thread.State.TIMED_WAITING);

      brief.unlock();
      least.unlock();

      closing.join();
      await().atMost(LONG).until(() -> !keeper.lock("job").isLocked());
      assertThat(keeper.admin().inspect(ResourceKind.LOCK, "least").holders())
          .singleElement()
          .matches(HolderReport::resting);
      await().atMost(LONG).until(() -> !keeper.lock("least").isLocked());
    }
  }

  @Test
  void aClientThatIsClosedAloneGivesTheLocksOfRunningJobsBack() {
    try (Lockkeeper others = Lockkeeper.connect("memory:shedlock-alone")) {
      Lockkeeper keeper = Lockkeeper.connect("memory:shedlock-alone");
      SimpleLock job =
          new LockkeeperLockProvider(keeper)
              .lock(job(Duration.ofHours(1), Duration.ofMinutes(30)))
              .orElseThrow();

      keeper.close();
      job.unlock();

      await().atMost(LONG).until(() -> !others.lock("job").isLocked());
    }
  }

  @Test
  void moreThanADayIsRefused() {
    try (Lockkeeper keeper = Lockkeeper.connect("memory:shedlock-day")) {
      assertThatThrownBy(
              () ->
                  new LockkeeperLockProvider(keeper).lock(job(Duration.ofHours(25), Duration.ZERO)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
