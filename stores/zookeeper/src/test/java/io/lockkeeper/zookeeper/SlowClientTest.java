package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A client that is held up between an answer and what it does about it. What it read of a
 * resource's node is never taken for what stands in a later node of the same name, although that
 * has the same version.
 */
class SlowClientTest {

  private static final ResourceId RESOURCE = new ResourceId(ResourceKind.SEMAPHORE, "s");

  private static final ResourceId LOCK = ResourceId.lock("n");
  private static final long SHORT_DEADLINE_MILLIS = 200;

  private final String namespace = "stale-" + UUID.randomUUID();
  private final StoreFactory factory =
      new ZooKeeperStoreProvider().factory(SharedServer.running().url() + "?connectTimeout=20s");
  private final List<Store> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(Store::close);
  }

  private Store open(String id, TimeSource time) {
    return open(id, time, 60_000);
  }

  private Store open(String id, TimeSource time, long claimDeadlineMillis) {
    Environment environment = new Environment(time, Threads::scheduler, new Random(1));
    Timings timings = new Timings(5_000, claimDeadlineMillis, 60_000);
    Store store = factory.open(new StoreContext(id, id, namespace, timings, environment));
    opened.add(store);
    return store;
  }

  private Store open(String id) {
    return open(id, System::nanoTime);
  }

  private static <T> T answer(CompletionStage<Outcome<T>> stage) throws Exception {
    Outcome<T> outcome = stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
    return ((Outcome.Answered<T>) outcome).answer();
  }

  private static CompletionStage<Outcome<ClaimAnswer>> claim(
      Store store, long number, int permits) {
    return store.claim(
        new ClaimRequest(RESOURCE, number, 600_000, 1, false, new Share(permits, 3, false), "t"));
  }

  @Test
  void aRenewalDoesNotReplaceTheRecordOfANodeThatCameAfterAForcedRelease() throws Exception {
    Pause deafness = new Pause();
    Store forced = open("forced", deafness);
    Store other = open("other");
    assertThat(answer(claim(forced, 1, 1))).isInstanceOf(ClaimAnswer.Granted.class);
    deafness.begin();
    CompletionStage<?> question = forced.inspect(new ResourceId(ResourceKind.SEMAPHORE, "another"));
    deafness.awaitBegun();

    assertThat(answer(other.forceRelease(new ForceRequest(RESOURCE, Long.MAX_VALUE))).wasHeld())
        .isTrue();
    assertThat(answer(claim(other, 1, 3))).isInstanceOf(ClaimAnswer.Granted.class);
    CompletionStage<List<Outcome<RenewAnswer>>> renewal =
        forced.renew(List.of(new RenewRequest(RESOURCE, 1, 600_000)));
    deafness.end();

    question.toCompletableFuture().get(30, TimeUnit.SECONDS);
    Outcome<RenewAnswer> renewed = renewal.toCompletableFuture().get(30, TimeUnit.SECONDS).get(0);
    assertThat(((Outcome.Answered<RenewAnswer>) renewed).answer().renewed()).isFalse();
    assertThat(answer(claim(open("third"), 1, 1))).isInstanceOf(ClaimAnswer.Busy.class);
  }

  @Test
  void aClaimDoesNotReplaceTheRecordOfANodeThatWasMadeSinceItReadOne() throws Exception {
    Pause hesitation = new Pause();
    Store slow = open("slow", hesitation);
    Store before = open("before");
    Store after = open("after");
    assertThat(answer(claim(before, 1, 1))).isInstanceOf(ClaimAnswer.Granted.class);
    hesitation.begin();
    CompletionStage<Outcome<ClaimAnswer>> late = claim(slow, 1, 1);
    hesitation.awaitBegun(); // it has read, and not decided yet what to write

    answer(before.release(new ReleaseRequest(RESOURCE, 1, ReleaseRequest.UNKNOWN, null)));
    assertThat(answer(claim(after, 1, 3))).isInstanceOf(ClaimAnswer.Granted.class);
    hesitation.end();

    assertThat(answer(late)).isInstanceOf(ClaimAnswer.Busy.class);
    assertThat(answer(claim(open("third"), 1, 1))).isInstanceOf(ClaimAnswer.Busy.class);
  }

  @Test
  void whoIsPassedOverIsToldAlthoughAnotherHoldsTheLockByThen() throws Exception {
    Pause absence = new Pause();
    Store holder = open("holder", System::nanoTime, SHORT_DEADLINE_MILLIS);
    Store absent = open("absent", absence, SHORT_DEADLINE_MILLIS);
    Store next = open("next"); // it lets itself in, and with a deadline that outlasts the test
    ClaimRequest claim = new ClaimRequest(LOCK, 1, 600_000, 1, true);
    assertThat(answer(holder.claim(claim))).isInstanceOf(ClaimAnswer.Granted.class);
    assertThat(answer(absent.claim(claim))).isInstanceOf(Queued.class);
    assertThat(answer(next.claim(claim))).isInstanceOf(Queued.class);
    assertThat(answer(open("last").claim(claim))).isInstanceOf(Queued.class);
    absence.begin(() -> absent.inspect(new ResourceId(ResourceKind.SEMAPHORE, "another")));

    answer(holder.release(new ReleaseRequest(LOCK, 1, ReleaseRequest.UNKNOWN, null)));
    await().atMost(60, TimeUnit.SECONDS).until(() -> poll(next) instanceof PollAnswer.Granted);
    absence.end();

    await().atMost(60, TimeUnit.SECONDS).until(() -> poll(absent) instanceof PollAnswer.Gone);
    assertThat(poll(next)).isInstanceOf(PollAnswer.Granted.class);
  }

  private static PollAnswer poll(Store store) throws Exception {
    Outcome<PollAnswer> outcome =
        store
            .poll(List.of(new PollRequest(LOCK, 1)))
            .toCompletableFuture()
            .get(30, TimeUnit.SECONDS)
            .get(0);
    return ((Outcome.Answered<PollAnswer>) outcome).answer();
  }
}
