package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.StoreUnavailableException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Chapter "Time limits and interrupts"; {@code LockConformance} has more on the {@code Lock} side.
 */
public abstract class TimeLimitsTck extends TckBase {

  private static final Duration SHORT = Delays.millis(200);

  @Test
  @Promise("D1")
  void askingOnceIsOneRequestAndNoPlaceInLine() throws InterruptedException {
    DistributedLock held = client().lock(NAME);
    Faults faults = faults();
    DistributedLock lock = client(faults).lock(NAME);
    held.lock();

    assertThat(lock.tryLock()).isFalse();
    assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isFalse();
    assertThat(lock.tryLock(-1, TimeUnit.SECONDS)).isFalse();
    assertThat(lock.tryLock(fixed(Duration.ofSeconds(1)).withWait(Duration.ofSeconds(-1))))
        .isFalse();
    assertThat(lock.tryAcquire(Duration.ZERO)).isEmpty();

    assertThat(faults.requests()).isLessThanOrEqualTo(5);
    assertThat(inspect(NAME).waiting()).isZero();
    held.unlock();
  }

  @Test
  @Promise("D1")
  void askingOnceAnUnreachableStoreFailsAtOnce() {
    Faults faults = faults();
    DistributedLock lock = client(faults).lock(NAME);
    faults.refuse();

    assertThatThrownBy(lock::tryLock).isInstanceOf(StoreUnavailableException.class);

    assertThat(lock.isHeldByCurrentThread()).isFalse();
  }

  @Test
  @Promise("D1")
  void askingOnceASilentStoreWaitsForItWithoutSpinning() {
    Faults faults = faults();
    DistributedLock lock = client(faults).lock(NAME);
    faults.silence();
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadCpuTime();

    assertThatThrownBy(() -> lock.tryLock(0, TimeUnit.SECONDS))
        .isInstanceOf(StoreUnavailableException.class);

    Duration busy = Duration.ofNanos(threads.getCurrentThreadCpuTime() - before);
    assertThat(busy).as("of about a second's silence").isLessThan(Delays.millis(100));
  }

  @Test
  @Promise({"D2", "D6"})
  void aTimedWaitForAHeldLockEndsByItsLimitAndNotBefore() {
    DistributedLock held = client().lock(NAME);
    DistributedLock lock = client().lock(NAME);
    held.lock();

    Duration took =
        duration(
            () -> {
              assertThat(lock.tryLock(SHORT.toNanos(), TimeUnit.NANOSECONDS)).isFalse();
              return true;
            });

    assertThat(took).isBetween(SHORT, SHORT.plus(Delays.patience()));
    held.unlock();
  }

  @Test
  @Promise({"D2", "D6"})
  void aTimedWaitEndsByItsLimitThoughTheStoreIsSilent() {
    Faults faults = faults();
    DistributedLock lock = client(faults).lock(NAME);
    faults.silence();

    Duration took =
        duration(
            () -> {
              tryInVain(lock, Delays.millis(400));
              return true;
            });

    // The store's silence lasts 1,000 milliseconds at a time: the wait did not wait for that.
    assertThat(took).isBetween(Delays.millis(400), Delays.millis(950));
    assertThat(lock.isHeldByCurrentThread()).isFalse();
    faults.heal();
    awaitWaiting(NAME, 0);
    awaitFree(NAME);
  }

  @Test
  @Promise({"D2", "D6"})
  void aTimedWaitThatGotNoAnswerAtAllSaysSo() {
    Faults faults = faults();
    DistributedLock lock = client(faults).lock(NAME);
    faults.refuse();

    assertThatThrownBy(() -> lock.tryLock(400, TimeUnit.MILLISECONDS))
        .isInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(() -> lock.tryAcquire(Duration.ofMillis(400)))
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(lock.isHeldByCurrentThread()).isFalse();
  }

  @Test
  @Promise("D6")
  void aShortWaitThatGotNoAnswerAtAllSaysSoInAnOutage() {
    Faults faults = faults();
    DistributedLock lock = client(faults).lock(NAME);
    faults.silence();
    assertThatThrownBy(lock::tryLock).isInstanceOf(StoreUnavailableException.class);

    for (int millis : List.of(10, 50, 200)) {
      assertThatThrownBy(() -> lock.tryLock(millis, TimeUnit.MILLISECONDS))
          .as("%s ms", millis)
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("does not answer");
    }
    assertThat(lock.isHeldByCurrentThread()).isFalse();
  }

  @Test
  @Promise({"D2", "W8"})
  void aTimedWaitIsGrantedWithinItsLimit() throws InterruptedException {
    DistributedLock held = client().lock(NAME);
    DistributedLock lock = client().lock(NAME);
    held.lock();
    Worker waiter = worker();
    Future<Boolean> got = waiter.start(() -> lock.tryLock(1, TimeUnit.HOURS));
    awaitWaiting(NAME, 1);

    held.unlock();

    assertThat(Worker.get(got)).isTrue();
    waiter.run(lock::unlock);
  }

  @Test
  @Promise("D3")
  void anInterruptOnEntryWinsEvenIfTheLockIsFree() {
    DistributedLock lock = client().lock(NAME);
    assertInterruptedOnEntry(lock::lockInterruptibly);
    assertInterruptedOnEntry(() -> lock.tryLock(1, TimeUnit.HOURS));
    assertInterruptedOnEntry(() -> lock.tryLock(0, TimeUnit.HOURS));
    assertInterruptedOnEntry(
        () -> lock.tryLock(fixed(Duration.ofHours(1)).withWait(Duration.ofHours(1))));
    assertInterruptedOnEntry(lock::acquire);
    assertInterruptedOnEntry(() -> lock.tryAcquire(Duration.ofHours(1)));
    assertInterruptedOnEntry(() -> lock.tryAcquire(Duration.ZERO));
    assertThat(inspect(NAME).holder()).isNull();
  }

  private static void assertInterruptedOnEntry(Worker.Action request) {
    Thread.currentThread().interrupt();
    assertThatThrownBy(request::run).isInstanceOf(InterruptedException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  @Promise("D3")
  void anInterruptEndsAWait() {
    DistributedLock held = client().lock(NAME);
    DistributedLock lock = client().lock(NAME);
    held.lock();
    assertInterruptible(lock::lockInterruptibly);
    assertInterruptible(() -> lock.tryLock(1, TimeUnit.HOURS));
    assertInterruptible(lock::acquire);
    assertInterruptible(() -> lock.tryAcquire(Duration.ofHours(1)));
    held.unlock();
    awaitFree(NAME);
  }

  private void assertInterruptible(Worker.Action request) {
    Worker waiter = worker();
    CompletableFuture<Boolean> status = new CompletableFuture<>();
    Future<Boolean> ended =
        waiter.begin(
            () -> {
              try {
                request.run();
              } finally {
                status.complete(Thread.currentThread().isInterrupted());
              }
            });
    waiter.awaitParked();

    waiter.interrupt();

    assertThatThrownBy(() -> Worker.get(ended)).isInstanceOf(InterruptedException.class);
    assertThat(status.join()).isFalse();
  }

  @Test
  @Promise({"D3", "W4"})
  void anInterruptAtTheMomentOfTheGrantLeavesEitherTheLockOrTheException() {
    DistributedLock held = client().lock(NAME);
    DistributedLock lock = client().lock(NAME);
    for (int i = 0; i < 50; i++) {
      held.lock();
      Worker waiter = worker();
      Future<Boolean> got =
          waiter.begin(
              () -> {
                lock.lockInterruptibly();
                lock.unlock();
              });
      waiter.awaitParked();
      Future<Boolean> interrupted = worker().begin(waiter::interrupt);
      held.unlock();
      Worker.get(interrupted);
      try {
        Worker.get(got);
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        assertThat(e).isInstanceOf(InterruptedException.class);
      }
      awaitFree(NAME);
    }
  }

  @Test
  @Promise("D4")
  void waitsThatCannotBeInterruptedKeepTheStatus() {
    DistributedLock held = client().lock(NAME);
    DistributedLock lock = client().lock(NAME);
    held.lock();
    Worker waiter = worker();
    Future<Boolean> status =
        waiter.start(
            () -> {
              lock.lock();
              return Thread.currentThread().isInterrupted();
            });
    waiter.awaitParked();
    waiter.interrupt();
    pass(Delays.millis(30));
    waiter.interrupt();

    held.unlock();

    assertThat(Worker.get(status)).isTrue();
    waiter.run(lock::unlock);
  }

  @Test
  @Promise("D5")
  void patienceHasAnEnd() {
    Faults faults = faults();
    DistributedLock lock = client(faults, builder -> builder.storeTimeout(SHORT)).lock(NAME);
    faults.refuse();

    assertThatThrownBy(lock::lock).isInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(lock::acquire).isInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(() -> Worker.outcome(lock.acquireAsync()))
        .isInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(lock::isLocked).isInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(lock::forceUnlock).isInstanceOf(StoreUnavailableException.class);

    assertThat(lock.isHeldByCurrentThread()).isFalse();
    faults.heal();
    awaitFree(NAME);
  }

  @Test
  @Promise("D5")
  void aWaiterInLineLosesPatienceToo() {
    Faults faults = faults();
    DistributedLock held = client().lock(NAME);
    DistributedLock fair = client(faults, builder -> builder.storeTimeout(SHORT)).fairLock(NAME);
    held.lock();
    Future<Boolean> got = worker().begin(fair::lock);
    awaitWaiting(NAME, 1);

    faults.refuse();

    assertThatThrownBy(() -> Worker.get(got)).isInstanceOf(StoreUnavailableException.class);
    faults.heal();
    awaitWaiting(NAME, 0);
    held.unlock();
  }

  @Test
  @Promise("D6")
  void aLimitThatPassesIsAnAnswer() throws InterruptedException {
    DistributedLock held = client().lock(NAME);
    DistributedLock lock = client().fairLock(NAME);
    held.lock();

    assertThat(lock.tryLock(20, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(lock.tryAcquire(Duration.ofMillis(20))).isEmpty();
    AcquireOptions limited = AcquireOptions.defaults().withWait(Duration.ofMillis(20));
    assertThatThrownBy(() -> lock.acquire(limited)).isInstanceOf(AcquireTimeoutException.class);
    assertThatThrownBy(() -> Worker.outcome(lock.acquireAsync(limited)))
        .isInstanceOf(AcquireTimeoutException.class);
    held.unlock();
  }

  private static void tryInVain(DistributedLock lock, Duration limit) throws InterruptedException {
    try {
      assertThat(lock.tryLock(limit.toNanos(), TimeUnit.NANOSECONDS)).isFalse();
    } catch (StoreUnavailableException said) {
      assertThat(said).hasMessageContaining(NAME);
    }
  }
}
