package io.lockkeeper.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.servers.PostgresPair;
import io.lockkeeper.servers.PostgresServer;
import io.lockkeeper.servers.fault.ClockShim;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Delays;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A standby of PostgreSQL takes over whose clock is another one, or that lacks the latest. */
@Tag("full")
class FailoverTest {

  private static final ResourceId LOCK = ResourceId.lock("r");
  private static final ResourceId SEMAPHORE = new ResourceId(ResourceKind.SEMAPHORE, "s");
  private static final Share ONE = new Share(1, 1, false);

  /** Long enough for a failover, and short enough to be waited for. */
  private static final long LEASE_MILLIS = Delays.millis(4_000).toMillis();

  private ClockShim clock;
  private PostgresPair pair;
  private StoreProbe holder;
  private StoreProbe next;

  @BeforeEach
  void makeClock() {
    Databases.require(PostgresServer.binaries());
    clock = ClockShim.createIfPossible();
  }

  private void jump(Duration ahead) {
    Assumptions.assumeTrue(clock.canJump(), "no C compiler");
    clock.jumpTo(ahead);
  }

  @AfterEach
  void stop() {
    for (AutoCloseable each : new AutoCloseable[] {holder, next, pair, clock}) {
      try {
        if (each != null) {
          each.close();
        }
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }

  private void start(String parameters) {
    pair =
        PostgresPair.start(
            PostgresServer.builder(), PostgresServer.builder().environment(clock.environment()));
    holder = probe(parameters);
    next = probe(parameters);
  }

  private StoreProbe probe(String parameters) {
    String url = pair.jdbcUrl() + "&lockkeeper.timeout=10s" + parameters;
    return new StoreProbe(new JdbcStoreProvider().factory(url), "failover", Timings.DEFAULT);
  }

  private static ClaimRequest request(ResourceId resource, long claim) {
    Share share = resource.equals(LOCK) ? Share.EXCLUSIVE : ONE;
    return new ClaimRequest(resource, claim, LEASE_MILLIS, 1, true, share);
  }

  /** Asks again and again until there is an answer. */
  private static <T> T answer(Supplier<CompletionStage<Outcome<T>>> question) {
    AtomicReference<Outcome<T>> last = new AtomicReference<>();
    await()
        .atMost(Delays.patience())
        .until(
            () -> {
              last.set(StoreProbe.get(question.get()));
              return last.get() instanceof Outcome.Answered;
            });
    return StoreProbe.answer(last.get());
  }

  private static ClaimAnswer claim(StoreProbe client, ResourceId resource, long claim) {
    return answer(() -> client.store.claim(request(resource, claim)));
  }

  private static boolean releases(StoreProbe client, ResourceId resource, Grant grant) {
    return answer(() -> client.store.release(StoreProbe.releaseRequest(resource, grant)))
        .released();
  }

  private static Grant granted(ClaimAnswer answer) {
    assertThat(answer).isInstanceOf(ClaimAnswer.Granted.class);
    return ((ClaimAnswer.Granted) answer).grant();
  }

  private static boolean renews(StoreProbe client, ResourceId resource, Grant grant) {
    RenewRequest request = new RenewRequest(resource, grant.grant(), LEASE_MILLIS);
    return answer(() -> client.store.renew(List.of(request)).thenApply(outcomes -> outcomes.get(0)))
        .renewed();
  }

  private static Grant awaitGranted(StoreProbe client, ResourceId resource, long claim) {
    await()
        .pollInterval(Duration.ofMillis(100))
        .atMost(Delays.patience())
        .until(() -> client.poll(resource, claim) instanceof PollAnswer.Granted);
    return ((PollAnswer.Granted) client.poll(resource, claim)).grant();
  }

  private void failOver() {
    pair.primary().kill();
    pair.promote();
  }

  @Test
  void aClockThatIsAheadEndsNoLease() {
    start("");
    Grant lock = granted(claim(holder, LOCK, 1));
    Grant permit = granted(claim(holder, SEMAPHORE, 2));
    pair.awaitFollowing();
    jump(Duration.ofMinutes(5));
    failOver();

    assertThat(claim(next, LOCK, 3)).isInstanceOf(Queued.class);
    assertThat(claim(next, SEMAPHORE, 4)).isInstanceOf(Queued.class);
    assertThat(renews(holder, LOCK, lock)).isTrue();
    assertThat(renews(holder, SEMAPHORE, permit)).isTrue();
    // It is not heard of any more.
    assertThat(awaitGranted(next, LOCK, 3).firstToken()).isGreaterThan(lock.lastToken());
    awaitGranted(next, SEMAPHORE, 4);
  }

  @Test
  void aClockThatIsBehindNeitherProlongsALeaseNorLetsTokensFall() {
    start("");
    Grant lock = granted(claim(holder, LOCK, 1));
    granted(claim(holder, SEMAPHORE, 2));
    pair.awaitFollowing();
    pair.cutOff();
    Grant unheard = granted(claim(holder, ResourceId.lock("not replicated"), 3));
    jump(Duration.ofHours(-1));
    failOver();

    assertThat(claim(next, LOCK, 4)).isInstanceOf(Queued.class);
    assertThat(claim(next, SEMAPHORE, 5)).isInstanceOf(Queued.class);
    assertThat(claim(next, ResourceId.lock("not replicated"), 6)).isInstanceOf(Queued.class);
    assertThat(renews(holder, LOCK, lock)).isTrue();
    assertThat(awaitGranted(next, LOCK, 4).firstToken()).isGreaterThan(lock.lastToken());
    awaitGranted(next, SEMAPHORE, 5);
    assertThat(awaitGranted(next, ResourceId.lock("not replicated"), 6).firstToken())
        .isGreaterThan(unheard.lastToken());
  }

  @Test
  void aReleaseThatIsRepeatedAtAStandbyThatLacksItLetsNobodyIn() {
    start("");
    Grant first = granted(claim(holder, LOCK, 1));
    pair.awaitFollowing();
    pair.cutOff();
    holder.release(LOCK, first);
    Grant second = granted(claim(next, LOCK, 2));
    failOver();

    try (StoreProbe third = probe("")) {
      assertThat(releases(holder, LOCK, first)).isTrue();
      assertThat(claim(third, LOCK, 3)).isInstanceOf(Queued.class);
      assertThat(renews(next, LOCK, second)).isFalse(); // the loss is reported
      awaitGranted(third, LOCK, 3);
    }
  }

  @Test
  void aGrantThatIsRepeatedAtAStandbyThatLacksItsEndIsNone() {
    start("");
    Grant first = granted(claim(holder, LOCK, 1));
    granted(claim(holder, SEMAPHORE, 2));
    pair.awaitFollowing();
    pair.cutOff();
    holder.release(LOCK, first);
    Grant second = granted(claim(next, LOCK, 3));
    failOver();

    // As when the answers are lost, and the questions come again.
    assertThat(claim(holder, LOCK, 1)).isInstanceOf(Queued.class);
    assertThat(claim(holder, SEMAPHORE, 2)).isInstanceOf(Queued.class);
    assertThat(awaitGranted(holder, LOCK, 1).firstToken()).isGreaterThan(second.lastToken());
    awaitGranted(holder, SEMAPHORE, 2);
  }

  @Test
  void whereCommitsWaitForTheStandbyWhatIsFreeCanBeHadAtOnce() {
    start("&lockkeeper.replication=synchronous");
    granted(claim(holder, LOCK, 1));
    holder.release(ResourceId.lock("free"), granted(claim(holder, ResourceId.lock("free"), 2)));
    pair.awaitFollowing();
    jump(Duration.ofMinutes(5));
    failOver();

    assertThat(claim(next, LOCK, 3)).isInstanceOf(Queued.class);
    granted(claim(next, ResourceId.lock("free"), 4));
    granted(claim(next, ResourceId.lock("new"), 5));
    awaitGranted(next, LOCK, 3);
  }
}
