package io.lockkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockOptionsTest {

  private static final LockOptions DEFAULTS = LockOptions.defaults();

  @Test
  void theDefaultIsTheClientsLeaseAnd64LocalPasses() {
    assertThat(DEFAULTS.lease()).isEmpty();
    assertThat(DEFAULTS.maxLocalHandoffs()).isEqualTo(64);
    assertThat(DEFAULTS)
        .hasToString(
            "LockOptions[lease=default, maxLocalHandoffs=64, retention=none, reentrant=true,"
                + " confirmedRelease=false]");
  }

  @Test
  void eachWithMethodChangesACopyAndOneThing() {
    LockOptions leased = DEFAULTS.withLease(Duration.ofSeconds(5));
    LockOptions both = leased.withMaxLocalHandoffs(3);

    assertThat(DEFAULTS.lease()).isEmpty();
    assertThat(leased.maxLocalHandoffs()).isEqualTo(64);
    assertThat(both.lease()).contains(Duration.ofSeconds(5));
    assertThat(both.maxLocalHandoffs()).isEqualTo(3);
    assertThat(both)
        .hasToString(
            "LockOptions[lease=PT5S, maxLocalHandoffs=3, retention=none, reentrant=true,"
                + " confirmedRelease=false]");
  }

  @Test
  void optionsThatSayTheSameAreEqual() {
    LockOptions one = DEFAULTS.withLease(Leases.MAX).withMaxLocalHandoffs(1);
    LockOptions same = DEFAULTS.withMaxLocalHandoffs(1).withLease(Duration.ofDays(1));

    assertThat(one).isEqualTo(same).hasSameHashCodeAs(same);
    assertThat(one)
        .isNotEqualTo(DEFAULTS)
        .isNotEqualTo(one.withMaxLocalHandoffs(2))
        .isNotEqualTo(one.withLease(Leases.MIN))
        .isNotEqualTo("options");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1_000})
  void localPassesFromZeroToAThousandAreAllowed(int maxLocalHandoffs) {
    assertThat(DEFAULTS.withMaxLocalHandoffs(maxLocalHandoffs).maxLocalHandoffs())
        .isEqualTo(maxLocalHandoffs);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1_001, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void anyOtherNumberOfLocalPassesIsRefusedWithTheBounds(int maxLocalHandoffs) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.withMaxLocalHandoffs(maxLocalHandoffs))
        .withMessage("maxLocalHandoffs must be from 0 to 1000, was %d", maxLocalHandoffs);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0.049S", "PT24H1S", "PT-5S"})
  void aLeaseOutOfBoundsIsRefused(String lease) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.withLease(Duration.parse(lease)))
        .withMessageStartingWith("a lease must be from 50 ms to 24 h, was ");
  }

  @Test
  void nullIsRefused() {
    assertThatNullPointerException().isThrownBy(() -> DEFAULTS.withLease(null));
  }
}
