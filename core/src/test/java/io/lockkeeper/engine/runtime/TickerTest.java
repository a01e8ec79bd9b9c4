package io.lockkeeper.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.LockOptions;
import io.lockkeeper.engine.ManualScheduler;
import io.lockkeeper.engine.ManualTime;
import io.lockkeeper.engine.Rig;
import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@SuppressWarnings("LockNotBeforeTry") // where a test locks is what it is about
class TickerTest {

  private static final long MILLI = 1_000_000;

  private final ManualTime time = new ManualTime();
  private final ManualScheduler scheduler = new ManualScheduler(time);
  private final List<Long> scans = new ArrayList<>();
  private long nextDue = Instants.NEVER;
  private final Ticker ticker =
      new Ticker(
          time,
          scheduler,
          () -> {
            scans.add(time.nanos());
            return nextDue;
          });

  private void runUntil(long untilNanos) {
    while (scheduler.runNext(untilNanos)) {}
  }

  @Test
  void nothingIsScheduledWhileNothingIsDue() {
    ticker.by(Instants.NEVER);

    assertThat(scheduler.pending()).isZero();
  }

  @Test
  void aScanRunsAtTheEarliestTimeAskedFor() {
    long now = time.nanos();
    ticker.by(now + 50 * MILLI);
    ticker.by(now + 20 * MILLI);
    ticker.by(now + 90 * MILLI);
    runUntil(now + 100 * MILLI);

    assertThat(scans).containsExactly(now + 20 * MILLI);
  }

  @Test
  void aScanThatThrowsIsFollowedByAnother() {
    AtomicInteger done = new AtomicInteger();
    Ticker broken =
        new Ticker(
            time,
            scheduler,
            () -> {
              if (done.getAndIncrement() == 0) {
                throw new LinkageError("made up");
              }
              return Instants.NEVER;
            });
    broken.by(time.nanos() + MILLI);
    assertThatExceptionOfType(LinkageError.class)
        .isThrownBy(() -> scheduler.runNext(time.nanos() + MILLI));
    runUntil(time.nanos() + 2_000 * MILLI);

    assertThat(done).hasValue(2);
  }

  @Test
  void aSchedulerThatThrewIsAskedAgain() {
    AtomicBoolean fails = new AtomicBoolean(true);
    Ticker late =
        new Ticker(
            time,
            new Scheduler() {
              @Override
              public Cancellable schedule(Runnable task, long delayNanos) {
                if (fails.get()) {
                  throw new OutOfMemoryError("made up");
                }
                return scheduler.schedule(task, delayNanos);
              }

              @Override
              public void close() {}
            },
            () -> {
              scans.add(time.nanos());
              return Instants.NEVER;
            });
    long now = time.nanos();
    assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> late.by(now + MILLI));
    fails.set(false);
    late.by(now + 2 * MILLI); // later than what could not be planned
    runUntil(now + 10 * MILLI);

    assertThat(scans).containsExactly(now + 2 * MILLI);
  }

  @Test
  void aScanThatIsPlannedStaysSoIfAnEarlierOneCannotBePlanned() {
    long now = time.nanos();
    ticker.by(now + 5 * MILLI);
    scheduler.fail(new LinkageError("made up"));
    assertThatExceptionOfType(LinkageError.class).isThrownBy(() -> ticker.by(now + MILLI));
    scheduler.fail(null);
    runUntil(now + 10 * MILLI);

    assertThat(scans).containsExactly(now + 5 * MILLI);
  }

  @Test
  void theScanAfterAScanIsPlannedThoughThatFailsAtFirst() {
    AtomicInteger planned = new AtomicInteger();
    Ticker alone =
        new Ticker(
            time,
            new Scheduler() {
              @Override
              public Cancellable schedule(Runnable task, long delayNanos) {
                if (planned.incrementAndGet() == 2) {
                  throw new LinkageError("made up");
                }
                return scheduler.schedule(task, delayNanos);
              }

              @Override
              public void close() {}
            },
            () -> {
              scans.add(time.nanos());
              return scans.size() == 1 ? time.nanos() + 5 * MILLI : Instants.NEVER;
            });
    long now = time.nanos();
    alone.by(now + MILLI);
    runUntil(now + 10 * MILLI);

    assertThat(scans).containsExactly(now + MILLI, now + 6 * MILLI);
  }

  @Test
  void theScanSaysWhenTheNextOneIs() {
    long now = time.nanos();
    nextDue = now + 70 * MILLI;
    ticker.by(now + 20 * MILLI);
    runUntil(now + 69 * MILLI);
    nextDue = Instants.NEVER;
    runUntil(now + 100 * MILLI);

    assertThat(scans).containsExactly(now + 20 * MILLI, now + 70 * MILLI);
    assertThat(scheduler.pending()).isZero();
  }

  @Test
  void whatIsOverdueIsScannedAtOnce() {
    ticker.by(time.nanos() - 1);
    runUntil(time.nanos());

    assertThat(scans).hasSize(1);
  }

  @Test
  void scansAreAMillisecondApartAtLeast() {
    nextDue = 0; // always overdue
    long now = time.nanos();
    ticker.by(now);
    runUntil(now + 10 * MILLI);

    assertThat(scans).hasSize(11);
  }

  @Test
  void aScanThatIsNoLongerNeededIsCalledOff() {
    long now = time.nanos();
    for (int i = 1_000; i > 0; i--) {
      ticker.by(now + i * MILLI);
    }

    assertThat(scheduler.pending()).isEqualTo(1);
  }

  @Test
  void tenThousandLocksAndUnlocksLeaveNoTrailOfTimers() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock = rig.keeper.lock("a");
      for (int i = 0; i < 10_000; i++) {
        lock.lock();
        lock.unlock();
        rig.freeze(Duration.ofNanos(100_000));
      }

      assertThat(rig.scheduler.pending()).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void locksOfLongLeaseTakenNowAndThenLeaveNoTrailOfTimers() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock =
          rig.keeper.lock("a", LockOptions.defaults().withLease(Duration.ofHours(24)));
      for (int i = 0; i < 1_000; i++) {
        lock.lock();
        lock.unlock();
        rig.pass(Duration.ofSeconds(5));
      }

      assertThat(rig.scheduler.pending()).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void tenThousandHeldLocksNeedOneTimer() {
    try (Rig rig = Rig.obliging()) {
      for (int i = 0; i < 10_000; i++) {
        rig.keeper.lock("n" + i).lock();
      }

      assertThat(rig.scheduler.pending()).isEqualTo(1);
    }
  }

  @Test
  void namesThatFallOutOfUseAreDroppedTogether() {
    try (Rig rig = Rig.obliging()) {
      for (int i = 0; i < 200; i++) {
        rig.got(rig.keeper.lock("lock" + i).acquireAsync()).release();
        rig.keeper.counter("counter" + i).get();
        rig.pass(Duration.ofNanos(3 * MILLI));
      }
      long end = rig.time.nanos() + 2_000 * MILLI;
      int runs = 0;
      while (rig.scheduler.runNext(end)) {
        runs++;
      }

      assertThat(runs).isLessThan(20);
    }
  }
}
