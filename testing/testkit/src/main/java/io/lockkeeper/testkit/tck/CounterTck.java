package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedCounter;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Chapter "Counters".
 *
 * <p>This file is long because a chapter has all tests of its promises.
 */
public abstract class CounterTck extends TckBase {

  private static final int THREADS = 8;
  private static final int ROUNDS = Rounds.of(2_000);

  // ------------------------------------------------------------- exactly once

  @Test
  @Promise("CO1")
  void eightThreadsInEachOfTwoClientsCountExactly() {
    List<DistributedCounter> counters = List.of(client().counter(NAME), client().counter(NAME));
    List<Future<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < 2 * THREADS; i++) {
      DistributedCounter counter = counters.get(i % 2);
      all.add(
          worker()
              .begin(
                  () -> {
                    for (int round = 0; round < ROUNDS; round++) {
                      counter.incrementAndGet();
                    }
                  }));
    }
    awaitAll(all);

    assertThat(counters.get(0).get()).isEqualTo(2L * THREADS * ROUNDS);
    assertThat(counters.get(1).delete()).isTrue();
  }

  private static void awaitAll(List<Future<Boolean>> all) {
    eventually().atMost(Delays.limit(90_000)).until(() -> all.stream().allMatch(Future::isDone));
    all.forEach(Worker::get);
  }

  @Test
  @Promise("CO1")
  void lostAnswersAreNotCountedTwice() {
    Faults faults = faults();
    DistributedCounter counter = client(faults).counter(NAME);
    List<Long> seen = new ArrayList<>();

    for (int i = 0; i < 60; i++) {
      faults.loseReplies(i % 3);
      seen.add(counter.incrementAndGet());
    }

    assertThat(seen).isEqualTo(java.util.stream.LongStream.rangeClosed(1, 60).boxed().toList());
    counter.delete();
  }

  @Test
  @Promise("CO1")
  void threadsCountExactlyThroughFailuresOfTheStore() {
    Faults faults = faults();
    DistributedCounter failing = client(faults).counter(NAME);
    DistributedCounter sound = client().counter(NAME);
    int rounds = 2 * Rounds.of(25);
    AtomicInteger done = new AtomicInteger();
    List<Future<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      DistributedCounter counter = i % 4 == 3 ? sound : failing;
      all.add(
          worker()
              .begin(
                  () -> {
                    for (int round = 0; round < rounds; round++) {
                      counter.addAndGet(round % 2 == 0 ? 3 : -1);
                      done.incrementAndGet();
                    }
                  }));
    }
    while (!all.stream().allMatch(Future::isDone)) {
      faults.loseReplies(1);
      pass(Duration.ofMillis(3));
      faults.refuse();
      pass(Duration.ofMillis(3));
      int before = done.get();
      faults.heal();
      eventually().until(() -> done.get() > before || all.stream().allMatch(Future::isDone));
    }
    awaitAll(all);

    assertThat(sound.get()).isEqualTo((long) THREADS * rounds);
    sound.delete();
  }

  @Test
  @Promise("CO1")
  void whatIsAskedWhileTheStoreIsAwayIsDoneWhenItIsBack() {
    Faults faults = faults();
    DistributedCounter counter = client(faults).counter(NAME);
    faults.refuse();
    CompletableFuture<Long> one = counter.addAndGetAsync(1).toCompletableFuture();
    CompletableFuture<Long> two = counter.addAndGetAsync(1).toCompletableFuture();
    CompletableFuture<Long> read = counter.getAsync().toCompletableFuture();
    pass(Duration.ofMillis(100));
    assertThat(one).isNotDone();

    faults.heal();

    assertThat(Worker.get(one)).isEqualTo(1);
    assertThat(Worker.get(two)).isEqualTo(2);
    assertThat(Worker.get(read)).isBetween(0L, 2L);
    counter.delete();
  }

  // ------------------------------------------------------------- as an atomic long

  @Test
  @Promise("CO2")
  void itDoesWhatAnAtomicLongDoes() {
    DistributedCounter counter = client().counter(NAME);
    assertThat(counter.name()).isEqualTo(NAME);
    assertThat(counter.get()).isZero();
    assertThat(counter.getAndIncrement()).isZero();
    assertThat(counter.incrementAndGet()).isEqualTo(2);
    assertThat(counter.getAndDecrement()).isEqualTo(2);
    assertThat(counter.decrementAndGet()).isZero();
    assertThat(counter.addAndGet(40)).isEqualTo(40);
    assertThat(counter.getAndAdd(2)).isEqualTo(40);
    assertThat(counter.getAndSet(7)).isEqualTo(42);
    counter.set(-7);
    assertThat(counter.get()).isEqualTo(-7);
    assertThat(counter.updateAndGet(number -> number * 2)).isEqualTo(-14);
    assertThat(counter.getAndUpdate(number -> -number)).isEqualTo(-14);
    assertThat(counter.accumulateAndGet(100, Math::max)).isEqualTo(100);
    assertThat(counter.getAndAccumulate(3, Math::multiplyExact)).isEqualTo(100);
    assertThat(counter.maxAndGet(10)).isEqualTo(300);
    assertThat(counter.maxAndGet(1_000)).isEqualTo(1_000);
    assertThat(client().counter(NAME).get()).isEqualTo(1_000);
    counter.delete();
  }

  @Test
  @Promise("CO2")
  void eachAsynchronousFormDoesWhatItsBlockingOneDoes() {
    DistributedCounter counter = client().counter(NAME);
    assertThat(get(counter.getAndIncrementAsync())).isZero();
    assertThat(get(counter.incrementAndGetAsync())).isEqualTo(2);
    assertThat(get(counter.getAndDecrementAsync())).isEqualTo(2);
    assertThat(get(counter.decrementAndGetAsync())).isZero();
    assertThat(get(counter.addAndGetAsync(40))).isEqualTo(40);
    assertThat(get(counter.getAndAddAsync(2))).isEqualTo(40);
    assertThat(get(counter.getAndSetAsync(7))).isEqualTo(42);
    assertThat(counter.setAsync(-7).toCompletableFuture()).succeedsWithin(Delays.patience());
    assertThat(get(counter.getAsync())).isEqualTo(-7);
    assertThat(get(counter.updateAndGetAsync(number -> number * 2))).isEqualTo(-14);
    assertThat(get(counter.getAndUpdateAsync(number -> -number))).isEqualTo(-14);
    assertThat(get(counter.accumulateAndGetAsync(100, Math::max))).isEqualTo(100);
    assertThat(get(counter.getAndAccumulateAsync(3, Math::multiplyExact))).isEqualTo(100);
    assertThat(get(counter.maxAndGetAsync(10))).isEqualTo(300);
    assertThat(get(counter.maxAndGetAsync(1_000))).isEqualTo(1_000);
    assertThat(get(counter.deleteAsync())).isTrue();
    assertThat(get(counter.deleteAsync())).isFalse();
  }

  @Test
  @Promise("CO2")
  void anAsynchronousUpdateIsMadeAgainIfAnotherChangeCameInBetween() {
    DistributedCounter counter = client().counter(NAME);
    DistributedCounter other = client().counter(NAME);
    AtomicInteger calls = new AtomicInteger();

    CompletionStage<Long> updated =
        counter.updateAndGetAsync(
            number -> {
              if (calls.incrementAndGet() == 1) {
                other.set(10);
              }
              return number + 1;
            });

    assertThat(get(updated)).isEqualTo(11);
    assertThat(calls).hasValue(2);
    assertThatThrownBy(
            () ->
                get(
                    counter.updateAndGetAsync(
                        number -> {
                          throw new IllegalStateException("by the test's wish");
                        })))
        .hasMessage("by the test's wish");
    assertThat(counter.get()).isEqualTo(11);
    counter.delete();
  }

  private static <T> T get(CompletionStage<T> stage) {
    return Worker.outcome(stage);
  }

  @Test
  @Promise("CO2")
  void compareAndSetOnAFreshCounterExpectsZero() {
    DistributedCounter counter = client().counter(NAME);

    assertThat(counter.compareAndSet(1, 2)).isFalse();
    assertThat(counter.compareAndSet(0, 5)).isTrue();
    assertThat(counter.compareAndSet(0, 6)).isFalse();
    assertThat(Worker.outcome(counter.compareAndSetAsync(5, 6))).isTrue();

    assertThat(counter.get()).isEqualTo(6);
    counter.delete();
  }

  @Test
  @Promise("CO2")
  void ofManyThatCompareAndSetOneWins() {
    List<DistributedCounter> counters = List.of(client().counter(NAME), client().counter(NAME));
    List<Boolean> won = java.util.Collections.synchronizedList(new ArrayList<>());

    together(16, i -> won.add(counters.get(i % 2).compareAndSet(0, i + 1)));

    assertThat(won).containsOnlyOnce(true).hasSize(16);
    counters.get(0).delete();
  }

  @Test
  @Promise("CO2")
  void updatesUnderContentionLoseNothingAndDoNotFail() {
    List<DistributedCounter> counters = List.of(client().counter(NAME), client().counter(NAME));
    int rounds = Rounds.of(50);

    together(
        THREADS,
        i -> {
          for (int round = 0; round < rounds; round++) {
            counters.get(i % 2).updateAndGet(number -> number + 1);
          }
        });

    assertThat(counters.get(0).get()).isEqualTo((long) THREADS * rounds);
    counters.get(0).delete();
  }

  @Test
  @Promise("CO2")
  void whatAnUpdatesFunctionThrowsEndsTheUpdate() {
    DistributedCounter counter = client().counter(NAME);
    counter.set(3);

    assertThatThrownBy(() -> counter.updateAndGet(number -> number / (number - 3)))
        .isInstanceOf(ArithmeticException.class);

    assertThat(counter.get()).isEqualTo(3);
    counter.delete();
  }

  @Test
  @Promise("CO3")
  void itIsExactInSixtyFourBits() {
    DistributedCounter counter = client().counter(NAME);
    for (long number :
        new long[] {(1L << 53) + 1, -(1L << 53) - 1, Long.MAX_VALUE - 1, Long.MIN_VALUE + 1}) {
      counter.set(number);
      assertThat(counter.addAndGet(1)).isEqualTo(number + 1);
      assertThat(counter.addAndGet(-2)).isEqualTo(number - 1);
      assertThat(counter.get()).isEqualTo(number - 1);
      assertThat(counter.compareAndSet(number - 1, number)).isTrue();
      assertThat(counter.compareAndSet(number - 1, 0)).isFalse();
    }
    counter.delete();
  }

  @Test
  @Promise("CO3")
  void whatDoesNotFitIsRefusedAndChangesNothing() {
    DistributedCounter counter = client().counter(NAME);
    counter.set(Long.MAX_VALUE);

    assertThatThrownBy(counter::incrementAndGet)
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining(NAME)
        .hasMessageContaining("64 bits");
    assertThatThrownBy(() -> Worker.outcome(counter.addAndGetAsync(1)))
        .isInstanceOf(ArithmeticException.class);

    assertThat(counter.decrementAndGet()).isEqualTo(Long.MAX_VALUE - 1);
    counter.delete();
  }

  // ------------------------------------------------------------- life

  @Test
  @Promise("CO4")
  void itOutlivesItsClientsUntilItIsDeleted() {
    Lockkeeper first = client();
    first.counter(NAME).set(5);
    first.close();
    DistributedCounter counter = client().counter(NAME);

    assertThat(counter.get()).isEqualTo(5);
    assertThat(counter.delete()).isTrue();
    assertThat(counter.delete()).isFalse();
    assertThat(counter.get()).isZero();
    assertThat(counter.incrementAndGet()).isEqualTo(1);
    counter.delete();
  }

  @Test
  @Promise("CO4")
  void aCounterALatchAValueAndALockOfOneNameAreFourThings() {
    Lockkeeper keeper = client();
    keeper.lock(NAME).lock();
    keeper.counter(NAME).set(5);
    keeper.countDownLatch(NAME).trySetCount(3);
    keeper.sharedValue(NAME).set("x");

    keeper.counter(NAME).delete();

    assertThat(keeper.counter(NAME).get()).isZero();
    assertThat(keeper.countDownLatch(NAME).getCount()).hasValue(3);
    assertThat(keeper.sharedValue(NAME).get().orElseThrow().text()).isEqualTo("x");
    assertThat(keeper.lock(NAME).isHeldByCurrentThread()).isTrue();
    assertThat(client(builder -> builder.namespace(namespace() + "x")).counter(NAME).get())
        .isZero();
    keeper.countDownLatch(NAME).delete();
    keeper.sharedValue(NAME).delete();
    keeper.lock(NAME).unlock();
  }

  @Test
  @Promise({"CO4", "N1"})
  void anyNameCanBeUsed() {
    Lockkeeper keeper = client();
    for (String name : List.of("{a}", "a}", "%7B", "a|b", "ключ 🔑", "x".repeat(512), "a:ctr")) {
      assertThat(keeper.counter(name).incrementAndGet()).as(name).isEqualTo(1);
      keeper.counter(name).delete();
    }
  }

  @Test
  @Promise("CO4")
  @SuppressWarnings("NullAway") // that is the point
  void badInputIsRefusedFirst() {
    Lockkeeper keeper = client();
    assertThatIllegalArgumentException().isThrownBy(() -> keeper.counter(""));
    assertThatIllegalArgumentException().isThrownBy(() -> keeper.counter("a\nb"));
    assertThatNullPointerException().isThrownBy(() -> keeper.counter(null));
    assertThatNullPointerException().isThrownBy(() -> keeper.counter(NAME).updateAndGet(null));
    assertThatNullPointerException()
        .isThrownBy(() -> keeper.counter(NAME).accumulateAndGet(1, null));
    assertThat(keeper.counter(NAME).delete()).isFalse();
  }

  // ------------------------------------------------------------- failures

  @Test
  @Promise("CO5")
  void patienceHasAnEnd() {
    Faults faults = faults();
    DistributedCounter counter =
        client(faults, builder -> builder.storeTimeout(Delays.millis(300))).counter(NAME);
    faults.refuse();

    assertThatThrownBy(counter::incrementAndGet).isInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(counter::get).isInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(() -> Worker.outcome(counter.addAndGetAsync(1)))
        .isInstanceOf(StoreUnavailableException.class);

    faults.heal();
    assertThat(counter.incrementAndGet()).isEqualTo(1);
    counter.delete();
  }

  @Test
  @Promise("CO5")
  void closingEndsTheWaitForTheStore() {
    Faults faults = faults();
    Lockkeeper keeper = client(faults);
    DistributedCounter counter = keeper.counter(NAME);
    faults.refuse();
    Worker worker = worker();
    Future<Long> one = worker.start(counter::incrementAndGet);
    CompletableFuture<Long> two = counter.getAsync().toCompletableFuture();
    worker.awaitParked();

    keeper.close();

    assertThatThrownBy(() -> Worker.get(one)).isInstanceOf(LockkeeperClosedException.class);
    assertThatThrownBy(() -> Worker.get(two)).isInstanceOf(LockkeeperClosedException.class);
    assertThatThrownBy(counter::get).isInstanceOf(LockkeeperClosedException.class);
    assertThatThrownBy(() -> Worker.outcome(counter.getAsync()))
        .isInstanceOf(LockkeeperClosedException.class);
  }

  @Test
  @Promise("CO5")
  void anInterruptDoesNotEndARequestAndIsKept() {
    DistributedCounter counter = client().counter(NAME);
    Worker worker = worker();

    worker.run(
        () -> {
          Thread.currentThread().interrupt();
          assertThat(counter.incrementAndGet()).isEqualTo(1);
          assertThat(Thread.interrupted()).isTrue();
        });

    assertThat(counter.get()).isEqualTo(1);
    counter.delete();
  }
}
