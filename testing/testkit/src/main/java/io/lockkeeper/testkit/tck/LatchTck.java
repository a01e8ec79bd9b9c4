package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedCountDownLatch;
import io.lockkeeper.LatchDeletedException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Chapter "Latches".
 *
 * <p>This file is long because a chapter has all tests of its promises.
 */
public abstract class LatchTck extends TckBase {

  private DistributedCountDownLatch latch() {
    return client().countDownLatch(NAME);
  }

  // ------------------------------------------------------------- counting

  @Test
  @Promise("LA1")
  void itIsSetOnce() {
    List<DistributedCountDownLatch> latches = List.of(latch(), latch());
    assertThat(latches.get(0).getCount()).isEmpty();
    AtomicInteger set = new AtomicInteger();

    together(
        8,
        i -> {
          if (latches.get(i % 2).trySetCount(3)) {
            set.incrementAndGet();
          }
        });

    assertThat(set).hasValue(1);
    assertThat(latches.get(1).getCount()).hasValue(3);
    assertThat(latches.get(0).name()).isEqualTo(NAME);
    latches.get(0).delete();
  }

  @Test
  @Promise("LA1")
  void itIsNotSetForAClientThatComesAfterItsTimeAndHasSeenNothing() throws InterruptedException {
    Duration ttl = Delays.millis(1_000);
    DistributedCountDownLatch setter = client().countDownLatch(NAME);
    DistributedCountDownLatch early = stranger().countDownLatch(NAME); // connected before it is set
    assertThat(setter.trySetCount(3, ttl)).isTrue();
    assertThat(early.getCount()).hasValue(3);
    pass(ttl.plus(LATE));

    DistributedCountDownLatch latch = stranger().countDownLatch(NAME);
    assertThat(latch.getCount()).isEmpty();
    assertThat(latch.trySetCount(2)).isTrue();
    assertThat(latch.getCount()).hasValue(2);
    latch.delete();
  }

  @Test
  @Promise("LA1")
  void itStaysOpenAndIsStillSet() throws InterruptedException {
    DistributedCountDownLatch latch = latch();
    latch.trySetCount(2);
    latch.countDown();
    latch.countDown();
    latch.countDown();
    latch.countDown(100);

    assertThat(latch.getCount()).hasValue(0);
    assertThat(latch.trySetCount(5)).isFalse();
    assertThat(latch.getCount()).hasValue(0);
    latch.await();
    assertThat(latch.await(0, TimeUnit.SECONDS)).isTrue();

    assertThat(latch.delete()).isTrue();
    assertThat(latch.delete()).isFalse();
    assertThat(latch.trySetCount(1)).isTrue();
    assertThat(latch.await(0, TimeUnit.SECONDS)).isFalse();
    latch.delete();
  }

  @Test
  @Promise("LA1")
  void aLatchOfZeroIsOpen() throws InterruptedException {
    DistributedCountDownLatch latch = latch();
    latch.trySetCount(0);
    latch.await();
    latch.delete();
  }

  @Test
  @Promise("LA2")
  void everyCountCountsOnceThoughAnswersAreLost() {
    Faults faults = faults();
    DistributedCountDownLatch latch = client(faults).countDownLatch(NAME);
    faults.loseReplies(2);
    assertThat(latch.trySetCount(50)).isTrue();

    for (int i = 1; i <= 50; i++) {
      faults.loseReplies(i % 3);
      latch.countDown();
      assertThat(latch.getCount()).hasValue(50 - i);
    }

    faults.loseReplies(1);
    assertThat(latch.trySetCount(50)).isFalse();
    assertThat(latch.getCount()).hasValue(0);
    latch.delete();
  }

  @Test
  @Promise("LA2")
  void aThousandAreCountedDownByFiveHundredTwice() throws InterruptedException {
    List<DistributedCountDownLatch> latches = List.of(latch(), latch());
    latches.get(0).trySetCount(1_000);

    countDown(latches, 500);
    assertThat(latches.get(0).await(500, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(latches.get(0).getCount()).hasValue(500);
    countDown(latches, 500);
    assertThat(latches.get(0).await(550, TimeUnit.MILLISECONDS)).isTrue();
    latches.get(0).delete();
  }

  private void countDown(List<DistributedCountDownLatch> latches, int times) {
    together(
        10,
        i -> {
          for (int round = 0; round < times / 10; round++) {
            latches.get(i % 2).countDown();
          }
        });
  }

  @Test
  @Promise("LA2")
  void eachAsynchronousFormDoesWhatItsBlockingOneDoes() {
    DistributedCountDownLatch latch = client().countDownLatch(NAME);
    assertThat(get(latch.getCountAsync())).isEmpty();
    assertThat(get(latch.trySetCountAsync(3))).isTrue();
    assertThat(get(latch.trySetCountAsync(4, Duration.ofDays(1)))).isFalse();
    assertThat(latch.countDownAsync().toCompletableFuture()).succeedsWithin(Delays.patience());
    assertThat(get(latch.getCountAsync())).hasValue(2);
    assertThat(latch.countDownAsync(2).toCompletableFuture()).succeedsWithin(Delays.patience());
    assertThat(latch.awaitAsync().toCompletableFuture()).succeedsWithin(Delays.patience());
    assertThat(get(latch.deleteAsync())).isTrue();
    assertThat(get(latch.deleteAsync())).isFalse();
  }

  private static <T> T get(CompletionStage<T> stage) {
    return Worker.outcome(stage);
  }

  @Test
  @Promise("LA2")
  void countingDownWhatIsNotSetIsRefused() {
    DistributedCountDownLatch latch = latch();

    assertThatIllegalStateException().isThrownBy(latch::countDown).withMessageContaining(NAME);
    assertThatThrownBy(() -> Worker.outcome(latch.countDownAsync()))
        .isInstanceOf(IllegalStateException.class);

    assertThat(latch.getCount()).isEmpty();
  }

  // ------------------------------------------------------------- waiting

  @Test
  @Promise("LA3")
  void allWhoWaitAreLetThrough() {
    Lockkeeper keeper = client();
    Lockkeeper other = client();
    keeper.countDownLatch(NAME).trySetCount(3);
    int waiters = 3 * Runtime.getRuntime().availableProcessors();
    List<Future<Boolean>> waiting = new ArrayList<>();
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < waiters; i++) {
      DistributedCountDownLatch latch = (i % 2 == 0 ? keeper : other).countDownLatch(NAME);
      Worker worker = worker();
      workers.add(worker);
      waiting.add(
          i % 3 == 0
              ? worker.start(() -> latch.await(1, TimeUnit.HOURS))
              : worker.begin(latch::await));
    }
    workers.forEach(Worker::awaitParked);
    for (int i = 0; i < 2; i++) {
      other.countDownLatch(NAME).countDown();
      assertThat(waiting).noneMatch(Future::isDone);
    }

    keeper.countDownLatch(NAME).countDown();

    waiting.forEach(waiter -> assertThat(Worker.get(waiter)).isTrue());
    keeper.countDownLatch(NAME).delete();
  }

  @Test
  @Promise("LA3")
  void fiveWhoWaitWithoutAThreadAllHear() {
    DistributedCountDownLatch latch = latch();
    latch.trySetCount(1);
    List<CompletableFuture<Void>> waiting = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      waiting.add(latch.awaitAsync().toCompletableFuture());
    }
    pass(Duration.ofMillis(30));
    assertThat(waiting).noneMatch(CompletableFuture::isDone);

    Worker.outcome(client().countDownLatch(NAME).countDownAsync());

    waiting.forEach(Worker::get);
    assertThat(waiting).noneMatch(CompletableFuture::isCompletedExceptionally);
    latch.delete();
  }

  @Test
  @Promise("LA3")
  void whoWaitsForALatchThatIsNotSetWaitsUntilItIsAndOpens() {
    DistributedCountDownLatch latch = latch();
    Worker worker = worker();
    Future<Boolean> waiting = worker.begin(latch::await);
    worker.awaitParked();
    DistributedCountDownLatch other = latch();

    assertThat(other.trySetCount(1)).isTrue();
    pass(Duration.ofMillis(30));
    assertThat(waiting.isDone()).isFalse();
    other.countDown();

    assertThat(Worker.get(waiting)).isTrue();
    other.delete();
  }

  @Test
  @Promise("LA3")
  void aWaitThatEndsLeavesNothing() throws InterruptedException {
    DistributedCountDownLatch latch = latch();
    latch.trySetCount(1);
    Worker worker = worker();
    Future<Boolean> waiting = worker.begin(latch::await);
    worker.awaitParked();
    worker.interrupt();
    assertThatThrownBy(() -> Worker.get(waiting)).isInstanceOf(InterruptedException.class);
    worker.run(
        () -> {
          Thread.currentThread().interrupt();
          assertThatThrownBy(() -> latch.await(1, TimeUnit.HOURS))
              .isInstanceOf(InterruptedException.class);
          assertThat(Thread.interrupted()).isFalse();
        });
    CompletableFuture<Void> cancelled = latch.awaitAsync().toCompletableFuture();
    cancelled.cancel(true);

    assertThat(duration(() -> latch.await(300, TimeUnit.MILLISECONDS)))
        .isBetween(Duration.ofMillis(300), Delays.millis(5_000));
    assertThat(latch.await(-1, TimeUnit.SECONDS)).isFalse();

    latch.countDown();
    latch.await();
    latch.delete();
  }

  @Test
  @Promise("LA4")
  void threeClientsThatHearNothingAreLetThroughWithinTwoSeconds() {
    List<Future<Boolean>> waiting = new ArrayList<>();
    List<Worker> workers = new ArrayList<>();
    DistributedCountDownLatch latch = latch();
    latch.trySetCount(1);
    for (int i = 0; i < 3; i++) {
      Faults deaf = faults();
      deaf.loseNotifications();
      DistributedCountDownLatch other = client(deaf).countDownLatch(NAME);
      Worker worker = worker();
      workers.add(worker);
      waiting.add(worker.begin(other::await));
    }
    workers.forEach(Worker::awaitParked);

    latch.countDown();

    Duration took = duration(() -> waiting.stream().map(Worker::get).toList());
    assertThat(took).isLessThan(Delays.millis(2_000));
    latch.delete();
  }

  @Test
  @Promise("LA4")
  void aWaitOutlastsFailuresOfTheStore() {
    Faults faults = faults();
    DistributedCountDownLatch latch = client(faults).countDownLatch(NAME);
    DistributedCountDownLatch other = latch();
    other.trySetCount(1);
    Worker worker = worker();
    Future<Boolean> waiting = worker.begin(latch::await);
    worker.awaitParked();
    pass(Duration.ofMillis(50)); // its first question is answered, and not under way any more
    faults.refuse();
    other.countDown();
    pass(Duration.ofMillis(100));
    assertThat(waiting.isDone()).isFalse();

    faults.heal();

    assertThat(Worker.get(waiting)).isTrue();
    other.delete();
  }

  @Test
  @Promise("LA5")
  void deletionEndsTheWaits() {
    DistributedCountDownLatch latch = latch();
    latch.trySetCount(1);
    Faults faults = faults();
    DistributedCountDownLatch other = client(faults).countDownLatch(NAME);
    Worker worker = worker();
    Future<Boolean> one = worker.begin(other::await);
    CompletableFuture<Void> two = other.awaitAsync().toCompletableFuture();
    worker.awaitParked();
    pass(Duration.ofMillis(50));
    faults.awaitAnswered(); // both have seen the latch

    assertThat(latch.delete()).isTrue();

    assertThatThrownBy(() -> Worker.get(one))
        .isInstanceOf(LatchDeletedException.class)
        .hasMessageContaining(NAME);
    assertThatThrownBy(() -> Worker.get(two)).isInstanceOf(LatchDeletedException.class);
  }

  @Test
  @Promise("LA5")
  void deletionEndsTheWaitsThoughTheNextLatchIsSetAtOnce() {
    Faults deaf = faults();
    DistributedCountDownLatch waited = client(deaf).countDownLatch(NAME);
    deaf.loseNotifications();
    DistributedCountDownLatch latch = latch();
    latch.trySetCount(1);
    Worker worker = worker();
    Future<Boolean> waiting = worker.begin(waited::await);
    worker.awaitParked();
    pass(Duration.ofMillis(100));
    deaf.awaitAnswered(); // it has seen the latch

    latch.delete();
    latch.trySetCount(7);

    assertThatThrownBy(() -> Worker.get(waiting)).isInstanceOf(LatchDeletedException.class);
    latch.delete();
  }

  @Test
  @Promise("LA5")
  void aTimeToLiveEndsTheLatchAndTheWaits() {
    DistributedCountDownLatch latch = latch();
    assertThat(latch.trySetCount(1, Delays.millis(400))).isTrue();
    assertThat(latch.getCount()).hasValue(1);
    Worker worker = worker();
    Future<Boolean> waiting = worker.begin(latch::await);

    assertThatThrownBy(() -> Worker.get(waiting)).isInstanceOf(LatchDeletedException.class);

    assertThat(latch.getCount()).isEmpty();
    assertThatIllegalStateException().isThrownBy(latch::countDown);
    assertThat(latch.delete()).isFalse();
  }

  // ------------------------------------------------------------- failures

  @Test
  @Promise("LA6")
  void patienceHasAnEnd() {
    Faults faults = faults();
    DistributedCountDownLatch latch =
        client(faults, builder -> builder.storeTimeout(Delays.millis(300))).countDownLatch(NAME);
    faults.refuse();

    assertThatThrownBy(() -> latch.trySetCount(1)).isInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(latch::await).isInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(() -> Worker.outcome(latch.awaitAsync()))
        .isInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(() -> latch.await(50, TimeUnit.MILLISECONDS))
        .isInstanceOf(StoreUnavailableException.class);

    faults.heal();
    assertThat(latch.getCount()).isEmpty();
  }

  @Test
  @Promise("LA6")
  void aTimeLimitIsKeptThoughTheStoreIsSilent() {
    Faults faults = faults();
    DistributedCountDownLatch latch = client(faults).countDownLatch(NAME);
    latch.trySetCount(1);
    Worker worker = worker();
    Future<Boolean> waiting = worker.start(() -> latch.await(700, TimeUnit.MILLISECONDS));
    worker.awaitParked();
    pass(Duration.ofMillis(50));
    faults.silence();

    assertThat(Worker.get(waiting)).isFalse();
    faults.heal();
    latch.delete();
  }

  @Test
  @Promise({"LA6", "C2"})
  void closingEndsTheWaits() {
    Lockkeeper keeper = client();
    DistributedCountDownLatch latch = keeper.countDownLatch(NAME);
    latch.trySetCount(1);
    Worker worker = worker();
    Future<Boolean> one = worker.begin(latch::await);
    CompletableFuture<Void> two = latch.awaitAsync().toCompletableFuture();
    worker.awaitParked();

    keeper.close();

    assertThatThrownBy(() -> Worker.get(one)).isInstanceOf(LockkeeperClosedException.class);
    assertThatThrownBy(() -> Worker.get(two)).isInstanceOf(LockkeeperClosedException.class);
    assertThatThrownBy(latch::await).isInstanceOf(LockkeeperClosedException.class);
    assertThatThrownBy(() -> Worker.outcome(latch.awaitAsync()))
        .isInstanceOf(LockkeeperClosedException.class);
    latch().delete();
  }

  @Test
  @Promise("LA6")
  @SuppressWarnings("NullAway") // that is the point
  void badInputIsRefusedFirst() {
    Lockkeeper keeper = client();
    DistributedCountDownLatch latch = keeper.countDownLatch(NAME);
    assertThatIllegalArgumentException().isThrownBy(() -> keeper.countDownLatch("a\u0000"));
    assertThatNullPointerException().isThrownBy(() -> keeper.countDownLatch(null));
    assertThatIllegalArgumentException().isThrownBy(() -> latch.trySetCount(-1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> latch.trySetCount(1, Duration.ofMillis(49)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> latch.trySetCount(1, Duration.ofDays(366)));
    assertThatNullPointerException().isThrownBy(() -> latch.trySetCount(1, null));
    assertThatIllegalArgumentException().isThrownBy(() -> latch.countDown(0));
    assertThatNullPointerException().isThrownBy(() -> latch.await(1, null));
    assertThat(latch.getCount()).isEmpty();
  }
}
