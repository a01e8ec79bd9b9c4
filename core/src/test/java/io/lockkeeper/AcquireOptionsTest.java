package io.lockkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AcquireOptionsTest {

  private static final AcquireOptions DEFAULTS = AcquireOptions.defaults();

  @Test
  void theDefaultIsToWaitAsLongAsItTakesAndToRenew() {
    assertThat(DEFAULTS.maxWait()).isEmpty();
    assertThat(DEFAULTS.fixedLease()).isEmpty();
    assertThat(DEFAULTS).hasToString("AcquireOptions[wait=unlimited, lease=renewed]");
  }

  @Test
  void eachWithMethodChangesACopyAndOneThing() {
    AcquireOptions waiting = DEFAULTS.withWait(Duration.ofSeconds(2));
    AcquireOptions both = waiting.withFixedLease(Duration.ofSeconds(5));

    assertThat(DEFAULTS.maxWait()).isEmpty();
    assertThat(waiting.maxWait()).contains(Duration.ofSeconds(2));
    assertThat(waiting.fixedLease()).isEmpty();
    assertThat(both.maxWait()).contains(Duration.ofSeconds(2));
    assertThat(both.fixedLease()).contains(Duration.ofSeconds(5));
    assertThat(both).hasToString("AcquireOptions[wait=PT2S, lease=PT5S]");
  }

  @Test
  void optionsThatSayTheSameAreEqual() {
    AcquireOptions one = DEFAULTS.withWait(Duration.ofSeconds(2)).withFixedLease(Leases.MAX);
    AcquireOptions same = DEFAULTS.withFixedLease(Leases.MAX).withWait(Duration.ofSeconds(2));

    assertThat(one).isEqualTo(same).hasSameHashCodeAs(same);
    assertThat(one)
        .isNotEqualTo(DEFAULTS)
        .isNotEqualTo(one.withWait(Duration.ZERO))
        .isNotEqualTo(one.withFixedLease(Leases.MIN))
        .isNotEqualTo("options");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0.05S", "PT1M", "PT24H"})
  void aLeaseFrom50MillisecondsTo24HoursIsAllowed(String lease) {
    assertThat(DEFAULTS.withFixedLease(Duration.parse(lease)).fixedLease())
        .contains(Duration.parse(lease));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0.049999999S", "PT0S", "PT-1S", "PT24H0.000000001S"})
  void anyOtherLeaseIsRefusedWithTheBounds(String lease) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.withFixedLease(Duration.parse(lease)))
        .withMessage(
            "a lease must be from 50 ms to 24 h, was %s", Leases.text(Duration.parse(lease)));
  }

  @Test
  void anyWaitIsAllowed() {
    assertThat(DEFAULTS.withWait(Duration.ofSeconds(-1)).maxWait()).isPresent();
    assertThat(DEFAULTS.withWait(Duration.ofSeconds(Long.MAX_VALUE)).maxWait()).isPresent();
  }

  @Test
  void nullIsRefused() {
    assertThatNullPointerException().isThrownBy(() -> DEFAULTS.withWait(null));
    assertThatNullPointerException().isThrownBy(() -> DEFAULTS.withFixedLease(null));
  }
}
