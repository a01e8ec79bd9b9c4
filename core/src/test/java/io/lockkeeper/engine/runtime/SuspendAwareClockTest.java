package io.lockkeeper.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SuspendAwareClockTest {

  private static final long SECOND = 1_000_000_000L;
  private static final long HOUR_MILLIS = 3_600_000;

  private long monotonicNanos = 123 * SECOND;
  private long wallMillis = 1_700_000_000_000L;
  private long bootMillis = 500_000;
  private int bootReadings;

  private void run(long millis) {
    monotonicNanos += millis * 1_000_000;
    wallMillis += millis;
    bootMillis += millis;
  }

  private void suspend(long millis) {
    wallMillis += millis;
    bootMillis += millis;
  }

  private OptionalLong boot() {
    bootReadings++;
    return OptionalLong.of(bootMillis);
  }

  @Test
  void theRealOneDoesNotGoBack() {
    SuspendAwareClock clock = new SuspendAwareClock();
    long before = clock.nanos();
    for (int i = 0; i < 1_000; i++) {
      long now = clock.nanos();
      assertThat(now).isGreaterThanOrEqualTo(before);
      before = now;
    }
  }

  @Nested
  class WithABootClock {

    private SuspendAwareClock clock;

    @BeforeEach
    void create() {
      clock = new SuspendAwareClock(() -> monotonicNanos, () -> wallMillis, () -> boot());
    }

    @Test
    void itCountsWhatTheMonotonicClockCounts() {
      long before = clock.nanos();
      run(1_234);

      assertThat(clock.nanos() - before).isEqualTo(1_234 * 1_000_000L);
    }

    @Test
    void itCountsSuspension() {
      long before = clock.nanos();
      suspend(HOUR_MILLIS);
      run(1_000);

      assertThat(clock.nanos() - before).isEqualTo((HOUR_MILLIS + 1_000) * 1_000_000L);
    }

    @Test
    void itCountsEachSuspensionOnce() {
      long before = clock.nanos();
      for (int i = 0; i < 3; i++) {
        suspend(10_000);
        long first = clock.nanos();
        assertThat(clock.nanos()).isEqualTo(first);
      }

      assertThat(clock.nanos() - before).isEqualTo(30 * SECOND);
    }

    @Test
    void aForwardJumpOfTheWallClockHasNoEffect() {
      long before = clock.nanos();
      wallMillis += HOUR_MILLIS;
      run(10);

      assertThat(clock.nanos() - before).isEqualTo(10_000_000);
    }

    @Test
    void aBackwardJumpOfTheWallClockHasNoEffect() {
      long before = clock.nanos();
      wallMillis -= HOUR_MILLIS;
      run(10);

      assertThat(clock.nanos() - before).isEqualTo(10_000_000);
    }

    @Test
    void aForwardJumpThatNothingExplainsIsADoubt() {
      wallMillis += 2_000; // as after a pause of a virtual machine that no clock of it shows
      clock.nanos();
      assertThat(clock.doubts()).isEqualTo(1);
      clock.nanos();
      suspend(20_000);
      wallMillis += HOUR_MILLIS;
      clock.nanos();

      assertThat(clock.doubts()).isEqualTo(2);
    }

    @Test
    void whatIsCountedIsNoDoubtAndNeitherIsAStepBack() {
      suspend(HOUR_MILLIS);
      clock.nanos();
      wallMillis -= HOUR_MILLIS;
      clock.nanos();
      run(5_000);
      clock.nanos();

      assertThat(clock.doubts()).isZero();
    }

    @Test
    void suspensionIsCountedWhileTheWallClockIsSetToo() {
      long before = clock.nanos();
      suspend(20_000);
      wallMillis += HOUR_MILLIS;

      assertThat(clock.nanos() - before).isEqualTo(20 * SECOND);
    }

    @Test
    void suspensionAfterAJumpIsCounted() {
      wallMillis += HOUR_MILLIS;
      long before = clock.nanos();
      suspend(20_000);

      assertThat(clock.nanos() - before).isEqualTo(20 * SECOND);
    }

    @Test
    void theBootClockIsAskedOnlyWhenTheOthersDisagree() {
      int atFirst = bootReadings;
      for (int i = 0; i < 1_000; i++) {
        run(7);
        wallMillis += i % 2; // the coarse clock is now a bit early, now a bit late
        clock.nanos();
        wallMillis -= i % 2;
      }

      assertThat(bootReadings).isEqualTo(atFirst);
    }

    @Test
    void itNeverGoesBackWhateverTheOthersDo() {
      long before = clock.nanos();
      long[] jumps = {HOUR_MILLIS, -2 * HOUR_MILLIS, 600, -600, 3 * HOUR_MILLIS};
      for (long jump : jumps) {
        wallMillis += jump;
        bootMillis -= 10; // coarse
        long now = clock.nanos();
        assertThat(now).isGreaterThanOrEqualTo(before);
        before = now;
      }
    }
  }

  @Nested
  class WithoutABootClock {

    private SuspendAwareClock clock;

    @BeforeEach
    void create() {
      clock = new SuspendAwareClock(() -> monotonicNanos, () -> wallMillis, OptionalLong::empty);
    }

    @Test
    void aForwardJumpOfTheWallClockCountsAsSuspension() {
      long before = clock.nanos();
      wallMillis += HOUR_MILLIS;

      assertThat(clock.nanos() - before).isEqualTo(HOUR_MILLIS * 1_000_000);
      assertThat(clock.doubts()).as("doubts about what was counted").isZero();
    }

    @Test
    void aBackwardJumpOfTheWallClockHasNoEffect() {
      long before = clock.nanos();
      wallMillis -= HOUR_MILLIS;
      run(10);

      assertThat(clock.nanos() - before).isEqualTo(10_000_000);
    }

    @Test
    void aJumpUpToFiftyMillisecondsIsTakenForCoarseness() {
      long before = clock.nanos();
      wallMillis += 50;

      assertThat(clock.nanos()).isEqualTo(before);
    }
  }
}
