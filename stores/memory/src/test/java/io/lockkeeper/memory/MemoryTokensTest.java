package io.lockkeeper.memory;

import static io.lockkeeper.memory.Fixture.claim;
import static io.lockkeeper.memory.Fixture.get;
import static io.lockkeeper.memory.Fixture.granted;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.ResourceId;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The exact numbers, which a store with a clock of its own cannot show. */
class MemoryTokensTest {

  private final Fixture fixture = new Fixture();
  private final MemoryStore store = fixture.open("a");

  @Test
  void theFirstTokenIsTheClocksTime() {
    fixture.pass(5);

    Grant grant = granted(store, claim(1));

    assertThat(grant.firstToken()).isEqualTo(fixture.server.micros()).isEqualTo(5_001);
    assertThat(grant.storeMicros()).isEqualTo(5_001);
  }

  @Test
  void theClockBeginsAtOneSoThatNoAnswerLooksLikeNoClock() {
    assertThat(fixture.server.micros()).isEqualTo(1);
    assertThat(new MemoryServer(() -> Long.MIN_VALUE).micros()).isEqualTo(1);
  }

  @Test
  void tokensGrowByOneWhileTheClockStandsStill() {
    Grant first = granted(store, claim(1));
    release(first, first.lastToken());

    assertThat(granted(store, claim(2)).firstToken()).isEqualTo(first.lastToken() + 1);
  }

  @Test
  void unusedTokensAreGivenAgain() {
    Grant first = granted(store, claim(1, 65));
    release(first, first.firstToken() + 2);

    assertThat(granted(store, claim(2)).firstToken()).isEqualTo(first.firstToken() + 3);
  }

  @Test
  void aBlockOfWhichNothingWasUsedIsGivenAgainWhole() {
    Grant first = granted(store, claim(1, 65));
    release(first, 0);

    assertThat(granted(store, claim(2)).firstToken()).isEqualTo(first.firstToken());
  }

  @Test
  void anExpiredBlockIsNotGivenAgain() {
    Grant first = granted(store, new ClaimRequest(ResourceId.lock("r"), 1, 50, 1_000_000, true));
    fixture.pass(50);

    assertThat(granted(store, claim(2)).firstToken()).isEqualTo(first.lastToken() + 1);
  }

  @Test
  void tokensGrowOverAFlush() {
    Grant first = granted(store, claim(1));
    fixture.pass(1);
    fixture.server.flush();

    assertThat(granted(store, claim(2)).firstToken()).isGreaterThan(first.lastToken());
  }

  @Test
  void aLeaseIsOverAtItsLastMicrosecondAndNotBefore() {
    Grant grant = granted(store, claim(1));
    fixture.time.advance(Duration.ofNanos(29_999_999_000L));
    assertThat(get(store.inspect(ResourceId.lock("r"))).holder()).isNotNull();

    fixture.time.advance(Duration.ofNanos(1_000));

    assertThat(get(store.inspect(ResourceId.lock("r"))).holder()).isNull();
    assertThat(
            get(store.release(new ReleaseRequest(ResourceId.lock("r"), grant.grant(), 1, null)))
                .released())
        .isFalse();
  }

  private void release(Grant grant, long usedToken) {
    get(store.release(new ReleaseRequest(ResourceId.lock("r"), grant.grant(), usedToken, null)));
  }
}
