package io.lockkeeper.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.testkit.tck.Delays;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Virtual threads wait by the thousand and hold up nobody. */
@EnabledForJreRange(
    min = JRE.JAVA_21,
    disabledReason = "there are no virtual threads before JDK 21")
@Tag("jdk25")
@SuppressWarnings("LockNotBeforeTry") // the client is closed after each test
class VirtualThreadsTest {

  /**
   * Each garbage collection reads the stacks of all of them. With five times as many, a busy
   * machine pauses for longer than the second in which a grant out of the queue must be confirmed.
   */
  private static final int WAITERS = 20_000;

  private final Lockkeeper keeper = Lockkeeper.connect("memory:virtual-" + UUID.randomUUID());
  private ExecutorService virtual;

  /** Plain on purpose: only the lock guards it. */
  private int count;

  @BeforeEach
  void startThreads() throws ReflectiveOperationException {
    // The classes are compiled for JDK 17, which does not have the method.
    virtual =
        (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
  }

  @AfterEach
  void stop() {
    virtual.shutdownNow();
    keeper.close();
  }

  @Test
  void twentyThousandVirtualThreadsWaitForOneLockAndAllGetItOnce() throws Exception {
    DistributedLock lock = keeper.lock("one");
    CountDownLatch done = new CountDownLatch(WAITERS);
    AtomicInteger begun = new AtomicInteger();
    waitOnce(lock); // most classes are loaded then
    Path pinned = Files.createTempFile("pinned", ".jfr");
    try (Recording recording = new Recording()) {
      recording.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ofMillis(1));
      recording.start();
      lock.lock();
      for (int i = 0; i < WAITERS; i++) {
        virtual.execute(
            () -> {
              begun.incrementAndGet();
              lock.lock();
              count++;
              lock.unlock();
              done.countDown();
            });
      }
      await().atMost(Delays.patience()).until(() -> begun.get() == WAITERS);
      assertAnotherVirtualThreadMakesProgress();
      assertThat(done.getCount()).isEqualTo(WAITERS);

      lock.unlock();

      assertThat(done.await(120, TimeUnit.SECONDS)).isTrue();
      assertThat(count).isEqualTo(WAITERS);
      recording.dump(pinned);
      assertThat(pinnedInLibrary(pinned)).isEmpty();
    } finally {
      Files.delete(pinned);
    }
  }

  @Test
  void virtualThreadsWaitForAFairLockInOrder() throws Exception {
    int waiters = 2_000;
    DistributedLock lock = keeper.fairLock("fair");
    CountDownLatch done = new CountDownLatch(waiters);
    lock.lock();
    for (int i = 0; i < waiters; i++) {
      virtual.execute(
          () -> {
            lock.lock();
            count++;
            lock.unlock();
            done.countDown();
          });
    }
    assertAnotherVirtualThreadMakesProgress();

    lock.unlock();

    assertThat(done.await(Delays.work().toNanos(), TimeUnit.NANOSECONDS)).isTrue();
    assertThat(count).isEqualTo(waiters);
  }

  @Test
  void interruptedVirtualThreadsLeaveTheQueue() throws Exception {
    DistributedLock lock = keeper.lock("left");
    lock.lock();
    int waiters = 10_000;
    CountDownLatch left = new CountDownLatch(waiters);
    for (int i = 0; i < waiters; i++) {
      virtual.execute(
          () -> {
            try {
              lock.lockInterruptibly();
            } catch (InterruptedException expected) {
              left.countDown();
            }
          });
    }

    virtual.shutdownNow();

    assertThat(left.await(Delays.work().toNanos(), TimeUnit.NANOSECONDS)).isTrue();
    lock.unlock();
    assertThat(lock.tryLock()).isTrue();
    lock.unlock();
  }

  private void waitOnce(DistributedLock lock) throws Exception {
    CompletableFuture<Thread> waiting = new CompletableFuture<>();
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    lock.lock();
    virtual.execute(
        () -> {
          waiting.complete(Thread.currentThread());
          lock.lock();
          lock.unlock();
          done.complete(true);
        });
    Thread waiter = waiting.get(Delays.patience().toNanos(), TimeUnit.NANOSECONDS);
    await().atMost(Delays.patience()).until(() -> waiter.getState() == Thread.State.WAITING);
    lock.unlock();
    assertThat(done.get(Delays.patience().toNanos(), TimeUnit.NANOSECONDS)).isTrue();
  }

  private void assertAnotherVirtualThreadMakesProgress() throws Exception {
    CompletableFuture<Boolean> progress = new CompletableFuture<>();
    virtual.execute(
        () -> {
          DistributedLock other = keeper.lock("other");
          other.lock();
          other.unlock();
          progress.complete(true);
        });
    assertThat(progress.get(Delays.patience().toNanos(), TimeUnit.NANOSECONDS)).isTrue();
  }

  /**
   * Returns where the library pinned a thread. The JVM itself pins threads that load one class at
   * the same time, once for each class that the first waiters have not loaded.
   */
  private static List<RecordedEvent> pinnedInLibrary(Path recording) throws IOException {
    return RecordingFile.readAllEvents(recording).stream()
        .filter(VirtualThreadsTest::isInLibrary)
        .filter(event -> !loadsClass(event))
        .toList();
  }

  private static boolean isInLibrary(RecordedEvent event) {
    return String.valueOf(event.getStackTrace()).contains("io.lockkeeper");
  }

  private static boolean loadsClass(RecordedEvent event) {
    return event.getStackTrace() != null
        && event.getStackTrace().getFrames().stream()
            .anyMatch(
                frame ->
                    frame.getMethod().getType().getName().equals(ClassLoader.class.getName())
                        && frame.getMethod().getName().equals("loadClass"));
  }
}
