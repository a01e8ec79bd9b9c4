package io.lockkeeper.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Environment;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceKind;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a client read of a resource's node is never taken for what stands in a later node of the
 * same name, although that has the same version.
 */
@Timeout(120)
class StaleRecordTest {

  private static final String RESOURCE = ResourceKind.SEMAPHORE.id("s");

  private final String namespace = "stale-" + UUID.randomUUID();
  private final StoreFactory factory =
      new ZooKeeperStoreProvider().factory(SharedServer.running().url() + "?connectTimeout=20s");
  private final List<Store> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(Store::close);
  }

  private Store open(String id, TimeSource time) {
    Environment environment = new Environment(time, Threads::scheduler, new Random(1));
    Store store =
        factory.open(
            new StoreContext(id, id, namespace, new Timings(5_000, 60_000, 60_000), environment));
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

  /** A clock that can hold up the thread on which a client hears its server. */
  private static final class Pause implements TimeSource {
    private final CountDownLatch hasBegun = new CountDownLatch(1);
    private final CountDownLatch isOver = new CountDownLatch(1);
    private volatile boolean isWanted;

    @Override
    public long nanos() {
      if (isWanted && Thread.currentThread().getName().contains("EventThread")) {
        hasBegun.countDown();
        await(isOver);
      }
      return System.nanoTime();
    }
  }

  @Test
  void aRenewalDoesNotReplaceTheRecordOfANodeThatCameAfterAForcedRelease() throws Exception {
    Pause deafness = new Pause();
    Store forced = open("forced", deafness);
    Store other = open("other");
    assertThat(answer(claim(forced, 1, 1))).isInstanceOf(ClaimAnswer.Granted.class);
    deafness.isWanted = true;
    CompletionStage<?> question = forced.inspect(ResourceKind.SEMAPHORE.id("another"));
    await(deafness.hasBegun);

    assertThat(answer(other.forceRelease(RESOURCE)).wasHeld()).isTrue();
    assertThat(answer(claim(other, 1, 3))).isInstanceOf(ClaimAnswer.Granted.class);
    CompletionStage<List<Outcome<RenewAnswer>>> renewal =
        forced.renew(List.of(new RenewRequest(RESOURCE, 1, 600_000)));
    deafness.isOver.countDown();

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
    hesitation.isWanted = true;
    CompletionStage<Outcome<ClaimAnswer>> late = claim(slow, 1, 1);
    await(hesitation.hasBegun); // it has read, and not decided yet what to write

    answer(before.release(new ReleaseRequest(RESOURCE, 1, 0, null)));
    assertThat(answer(claim(after, 1, 3))).isInstanceOf(ClaimAnswer.Granted.class);
    hesitation.isOver.countDown();

    assertThat(answer(late)).isInstanceOf(ClaimAnswer.Busy.class);
    assertThat(answer(claim(open("third"), 1, 1))).isInstanceOf(ClaimAnswer.Busy.class);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
