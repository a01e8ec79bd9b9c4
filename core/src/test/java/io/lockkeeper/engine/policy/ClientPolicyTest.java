package io.lockkeeper.engine.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.LockOptions;
import io.lockkeeper.engine.ManualScheduler;
import io.lockkeeper.engine.ManualTime;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.StoreTraits;
import io.lockkeeper.spi.Timings;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ClientPolicyTest {

  private static final long SECOND = 1_000_000_000L;
  private static final long LEASE = 30 * SECOND;

  private final ManualTime time = new ManualTime();
  private final ClientPolicy policy = policy(Duration.ofSeconds(30));

  private ClientPolicy policy(Duration patience) {
    ClientConfig config =
        new ClientConfig(
            "client",
            "ns",
            Duration.ofSeconds(30),
            1.0 / 3,
            name -> LockOptions.defaults(),
            Connecting.AT_ONCE,
            patience,
            null,
            List.of(),
            List.of(),
            true,
            Duration.ofSeconds(5),
            false);
    // What is random is the jitter of the client, which these tests do not vary.
    Environment environment = new Environment(time, () -> new ManualScheduler(time), new Random(3));
    return new ClientPolicy(
        config,
        environment,
        () -> new StoreTraits(true, true),
        Timings.DEFAULT,
        () -> "redis at host:1",
        () -> false);
  }

  private long renewal(long acquiredNanos, long leaseNanos) {
    long validUntil = ClockDrift.validUntil(acquiredNanos, leaseNanos);
    return policy.renewalAfter(acquiredNanos, validUntil, leaseNanos);
  }

  @Test
  void claimNumbersGrow() {
    assertThat(policy.nextClaim()).isLessThan(policy.nextClaim());
  }

  @Test
  void aRenewalIsDueAThirdOfTheLeaseAfterItBeganOrAnEighthOfThatEarlier() {
    for (long begin = 0; begin < 20 * SECOND; begin += SECOND / 7) {
      assertThat(renewal(begin, LEASE) - begin).isBetween(10 * SECOND * 7 / 8 - 10, 10 * SECOND);
    }
  }

  @Test
  void aRenewalThatIsOverdueIsDueNow() {
    long validUntil = ClockDrift.validUntil(0, LEASE);

    assertThat(policy.renewalAfter(25 * SECOND, validUntil, LEASE)).isEqualTo(25 * SECOND);
  }

  @Test
  void aHundredLocksAcquiredWithinASecondAreRenewedTogetherOrInTwoGroups() {
    for (long begin = 0; begin < 5 * SECOND; begin += SECOND / 9) {
      Set<Long> dues = new TreeSet<>();
      for (int i = 0; i < 100; i++) {
        dues.add(renewal(begin + i * SECOND / 100, LEASE));
      }
      assertThat(dues).hasSizeLessThanOrEqualTo(2);
    }
  }

  @Test
  void locksRenewedTogetherStayTogether() {
    long renewed = 77 * SECOND + 123;

    assertThat(renewal(renewed, LEASE)).isEqualTo(renewal(renewed, LEASE));
  }

  @Test
  void aFailedRenewalIsTriedAgainSoonerTheLessIsLeft() {
    assertThat(retryAfter(Duration.ofSeconds(20))).isEqualTo(Duration.ofSeconds(1));
    assertThat(retryAfter(Duration.ofSeconds(4))).isEqualTo(Duration.ofMillis(500));
    assertThat(retryAfter(Duration.ofMillis(40))).isEqualTo(Duration.ofMillis(10));
    assertThat(retryAfter(Duration.ofMillis(-1))).isEqualTo(Duration.ofMillis(10));
  }

  private Duration retryAfter(Duration left) {
    long validUntil = time.nanos() + left.toNanos();
    return Duration.ofNanos(policy.renewRetryNanos(validUntil));
  }

  @Test
  void theBackoffDoublesFrom20MillisecondsToAboutASecondWithAQuarterOfJitter() {
    for (int failures = 0; failures < 100; failures++) {
      long middle = 20_000_000L << Math.min(failures, 6);
      assertThat(policy.backoffNanos(failures)).isBetween(middle * 3 / 4, middle * 5 / 4);
    }
  }

  @Test
  void jitterVariesAroundItsMiddle() {
    LongStream draws = LongStream.generate(() -> policy.jitter(1_000)).limit(10_000);

    assertThat(draws.summaryStatistics())
        .satisfies(
            drawn -> {
              assertThat(drawn.getMin()).isBetween(750L, 760L);
              assertThat(drawn.getMax()).isBetween(1_240L, 1_250L);
              assertThat(drawn.getAverage()).isBetween(980.0, 1_020.0);
            });
  }

  @Test
  void aGrantOutOfTheQueueIsConfirmedLongBeforeItsClaimDeadline() {
    assertThat(Duration.ofNanos(policy.confirmAfterNanos())).isEqualTo(Duration.ofMillis(125));
  }

  @Test
  void whatTheStoreNeedsIsAsked() {
    assertThat(policy.confirmsHandOver()).isTrue();
  }

  @Test
  void anEndlessPatienceIsAllowed() {
    assertThat(policy(ChronoUnit.FOREVER.getDuration()).patienceNanos())
        .isGreaterThan(Duration.ofDays(36_500).toNanos());
  }

  @Test
  void aSilentStoreIsNamed() {
    assertThat(policy.unavailable("'a': the store does not answer", null))
        .hasMessage("'a': the store does not answer (redis at host:1)");
  }
}
