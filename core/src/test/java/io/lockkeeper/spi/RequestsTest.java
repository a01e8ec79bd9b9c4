package io.lockkeeper.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lockkeeper.LockOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What no request to a store can say. */
class RequestsTest {

  private static final long MAX = ClaimRequest.MAX_LEASE_MILLIS;

  @Test
  void noLeaseIsLongerThanTheLongest() {
    assertThat(new ClaimRequest(ResourceId.lock("r"), 1, MAX, 1, true).leaseMillis())
        .isEqualTo(MAX);
    assertThat(new RenewRequest(ResourceId.lock("r"), 1, MAX).leaseMillis()).isEqualTo(MAX);
    for (long tooLong : new long[] {MAX + 1, Long.MAX_VALUE / 1_000 + 1, Long.MAX_VALUE}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new ClaimRequest(ResourceId.lock("r"), 1, tooLong, 1, true));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new RenewRequest(ResourceId.lock("r"), 1, tooLong));
    }
  }

  @Test
  void theLongestLeaseIsThatOfTheApi() {
    Duration longest = Duration.ofMillis(MAX);
    assertThat(LockOptions.defaults().withLease(longest).lease()).contains(longest);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LockOptions.defaults().withLease(longest.plusMillis(1)));
  }
}
