package io.lockkeeper.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.HeldLease;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.PermitLease;
import io.lockkeeper.ResourceKind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingOperationError;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The promises of {@link ReactorLock}, while BlockHound watches the threads of Reactor. */
abstract class ReactorLockTests {

  private static final Duration LONG = Duration.ofSeconds(30);

  private final Lockkeeper keeper = connect();
  private final Lockkeeper other = connect();
  private ReactorLock<Lease> lock;

  abstract Lockkeeper connect();

  @BeforeAll
  static void watchReactorsThreads() {
    BlockHound.install(
        builder ->
            builder
                // The mutexes of a client are held for a few steps of memory.
                .allowBlockingCallsInside("java.util.concurrent.locks.ReentrantLock", "lock")
                // Reads /dev/urandom, which never waits.
                .allowBlockingCallsInside("java.security.SecureRandom", "nextBytes"));
  }

  @BeforeEach
  void start() {
    lock = ReactorLock.of(keeper.lock("stock"));
  }

  @AfterEach
  void close() {
    keeper.close();
    other.close();
  }

  private Mono<Boolean> isLocked() {
    return Mono.fromCallable(() -> other.lock("stock").isLocked())
        .subscribeOn(Schedulers.boundedElastic());
  }

  private static ConditionFactory eventually() {
    return await().atMost(LONG).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(2));
  }

  private void awaitIdle() {
    eventually().until(() -> other.admin().inspect(ResourceKind.LOCK, "stock").isIdle());
  }

  private int waiters() {
    return other.admin().inspect(ResourceKind.LOCK, "stock").waiters().size();
  }

  @Test
  void aThreadOfReactorThatBlocksIsFound() {
    Mono<Object> sleeper =
        Mono.fromRunnable(
                () -> {
                  try {
                    Thread.sleep(1); // any call that blocks
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                })
            .subscribeOn(Schedulers.parallel());
    assertThatThrownBy(() -> sleeper.block(LONG)).hasCauseInstanceOf(BlockingOperationError.class);
  }

  // ------------------------------------------------------------- the time for which it holds

  @Test
  void eachSubscriptionHoldsUntilItIsComplete() {
    AtomicReference<Boolean> during = new AtomicReference<>();
    Mono<Long> work =
        lock.using(lease -> isLocked().doOnNext(during::set).thenReturn(lease.token()));
    assertThat(other.lock("stock").isLocked()).as("before the subscription").isFalse();

    long first = work.block(LONG);
    assertThat(during.get()).isTrue();
    assertThat(other.lock("stock").isLocked()).as("at the end").isFalse();
    assertThat(work.block(LONG)).isGreaterThan(first);
    assertThat(other.lock("stock").isLocked()).isFalse();
  }

  @Test
  void workOfManyResultsHoldsUntilTheLastOne() {
    Flux<Boolean> work = lock.usingMany(lease -> Flux.range(0, 3).concatMap(i -> isLocked()));
    assertThat(work.collectList().block(LONG)).containsExactly(true, true, true);
    assertThat(other.lock("stock").isLocked()).isFalse();
    assertThat(work.take(1).collectList().block(LONG)).as("cancelled").containsExactly(true);
    awaitIdle();
  }

  @Test
  void emptyWorkReleases() {
    assertThat(lock.using(lease -> Mono.empty()).block(LONG)).isNull();
    assertThat(other.lock("stock").isLocked()).isFalse();
  }

  @Test
  void anErrorGoesOnAndReleases() {
    assertThatThrownBy(
            () -> lock.using(lease -> Mono.error(new IllegalStateException("no"))).block(LONG))
        .isInstanceOf(IllegalStateException.class);
    awaitIdle();
    assertThatThrownBy(
            () ->
                lock.using(
                        lease -> {
                          throw new IllegalArgumentException("no");
                        })
                    .block(LONG))
        .isInstanceOf(IllegalArgumentException.class);
    awaitIdle();
  }

  @Test
  void theContextOfTheSubscriberIsThatOfTheWork() {
    Mono<String> work =
        lock.using(lease -> Mono.deferContextual(context -> Mono.just(context.get("tenant"))));
    assertThat(work.contextWrite(context -> context.put("tenant", "blue")).block(LONG))
        .isEqualTo("blue");
  }

  @Test
  void workBeginsAndEndsOnThreadsOfReactor() {
    AtomicReference<Boolean> end = new AtomicReference<>();
    Boolean begin =
        lock.using(lease -> Mono.fromCallable(Schedulers::isInNonBlockingThread))
            .doOnNext(value -> end.set(Schedulers.isInNonBlockingThread()))
            .block(LONG);
    assertThat(begin).isTrue();
    assertThat(end.get()).isTrue();
  }

  @Test
  void ownersExcludeEachOtherOnWhicheverThread() {
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    ReactorLock<Lease> elsewhere = ReactorLock.of(other.lock("stock"));
    Long count =
        Flux.range(0, 60)
            .flatMap(
                i ->
                    (i % 2 == 0 ? lock : elsewhere)
                        .using(
                            lease ->
                                Mono.fromRunnable(
                                        () ->
                                            most.accumulateAndGet(
                                                inside.incrementAndGet(), Math::max))
                                    .thenReturn(i)
                                    .publishOn(Schedulers.boundedElastic())
                                    .doOnNext(x -> inside.decrementAndGet())),
                60)
            .count()
            .block(LONG);
    assertThat(count).isEqualTo(60);
    assertThat(most.get()).isEqualTo(1);
  }

  // ------------------------------------------------------------- cancellation

  @Test
  void whoeverCancelsTheWorkReleases() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    Disposable work =
        lock.using(
                lease ->
                    Mono.never()
                        .doOnSubscribe(subscription -> begun.countDown())
                        .doOnCancel(cancelled::countDown))
            .subscribe();
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(other.lock("stock").isLocked()).isTrue();
    work.dispose();
    assertThat(cancelled.await(30, TimeUnit.SECONDS)).isTrue();
    awaitIdle();
  }

  @Test
  void whoeverCancelsTheWaitLeavesTheQueue() throws InterruptedException {
    AtomicInteger begun = new AtomicInteger();
    try (Lease held = other.lock("stock").acquire()) {
      Disposable waiting =
          lock.using(lease -> Mono.fromRunnable(begun::incrementAndGet)).subscribe();
      eventually().until(() -> waiters() == 1);
      waiting.dispose();
      eventually().until(() -> waiters() == 0);
      assertThat(held.isValid()).isTrue();
    }
    awaitIdle();
    assertThat(begun.get()).isZero();
  }

  @Test
  void aGrantInTheMomentOfTheCancellationIsReleased() throws InterruptedException {
    for (int i = 0; i < 60; i++) {
      Lease held = other.lock("stock").acquire();
      Disposable waiting =
          i % 2 == 0
              ? lock.using(lease -> Mono.never()).subscribe()
              : lock.usingMany(lease -> Flux.never(), late -> Flux.empty()).subscribe();
      held.release();
      long until = System.nanoTime() + i * 20_000L;
      while (System.nanoTime() < until) {
        Thread.onSpinWait();
      }
      waiting.dispose();
      awaitIdle();
    }
  }

  // ------------------------------------------------------------- limited waits

  @Test
  void aWaitThatIsOverIsAnErrorOrEmptyOrSomethingElse() throws InterruptedException {
    ReactorLock<Lease> impatient =
        lock.with(AcquireOptions.defaults().withWait(Duration.ofMillis(1)));
    Lease held = other.lock("stock").acquire();
    assertThatThrownBy(() -> impatient.using(lease -> Mono.just(1)).block(LONG))
        .isInstanceOf(AcquireTimeoutException.class);
    assertThat(impatient.using(lease -> Mono.just(1), timeout -> Mono.empty()).block(LONG))
        .isNull();
    assertThat(impatient.using(lease -> Mono.just(1), timeout -> Mono.just(2)).block(LONG))
        .isEqualTo(2);
    assertThat(
            impatient
                .usingMany(lease -> Flux.just(1), timeout -> Flux.just(2, 3))
                .collectList()
                .block(LONG))
        .containsExactly(2, 3);
    held.release();

    assertThat(lock.using(lease -> Mono.just(lease.isValid()), e -> Mono.empty()).block(LONG))
        .isTrue();
    Mono<Integer> ownTimeout = Mono.error(new AcquireTimeoutException("of something else"));
    assertThatThrownBy(() -> lock.using(lease -> ownTimeout, timeout -> Mono.just(2)).block(LONG))
        .isInstanceOf(AcquireTimeoutException.class)
        .hasMessage("of something else");
    awaitIdle();
  }

  // ------------------------------------------------------------- losses

  private Mono<Object> lose(HeldLease lease) {
    return Mono.fromRunnable(() -> other.lock("stock").forceUnlock())
        .subscribeOn(Schedulers.boundedElastic())
        .then(Mono.fromCompletionStage(lease.lost()))
        .cast(Object.class);
  }

  @Test
  void aLossDuringTheWorkIsItsErrorOrSuppressedInIt() {
    assertThatThrownBy(() -> lock.using(this::lose).block(LONG))
        .isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(
            () ->
                lock.using(lease -> lose(lease).then(Mono.error(new IllegalStateException("no"))))
                    .block(LONG))
        .isInstanceOf(IllegalStateException.class)
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .anySatisfy(s -> assertThat(s).isInstanceOf(LeaseLostException.class)));
  }

  @Test
  void aLossCancelsTheWorkOnRequest() throws InterruptedException {
    CountDownLatch cancelled = new CountDownLatch(1);
    assertThatThrownBy(
            () ->
                lock.withCancelOnLoss()
                    .using(lease -> lose(lease).then(Mono.never()).doOnCancel(cancelled::countDown))
                    .block(LONG))
        .isInstanceOf(LeaseLostException.class);
    assertThat(cancelled.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(lock.withCancelOnLoss().using(lease -> Mono.just(1)).block(LONG)).isEqualTo(1);
  }

  // ------------------------------------------------------------- every kind

  @Test
  void itIsForEveryKindOfLock() {
    ReactorLock<Lease> read = ReactorLock.of(keeper.readWriteLock("prices").readLock());
    ReactorLock<Lease> write = ReactorLock.of(other.readWriteLock("prices").writeLock());
    AcquireOptions once = AcquireOptions.defaults().withWait(Duration.ZERO);
    Mono<String> writing = write.with(once).using(x -> Mono.just("yes"), e -> Mono.just("no"));
    assertThat(read.using(a -> read.using(b -> writing)).block(LONG)).isEqualTo("no");
    assertThat(writing.block(LONG)).isEqualTo("yes");

    ReactorLock<PermitLease> two = ReactorLock.of(keeper.semaphore("pool", 3), 2);
    ReactorLock<PermitLease> one = ReactorLock.of(other.semaphore("pool", 3));
    assertThat(two.using(a -> one.using(b -> Mono.just(a.permits() + b.permits()))).block(LONG))
        .isEqualTo(3);
    assertThat(
            two.using(a -> two.with(once).using(b -> Mono.just(4), e -> Mono.just(2))).block(LONG))
        .isEqualTo(2);
    assertThatThrownBy(() -> ReactorLock.of(keeper.semaphore("pool", 3), 0))
        .isInstanceOf(IllegalArgumentException.class);
    ReactorLock<PermitLease> tooMany = ReactorLock.of(keeper.semaphore("pool", 3), 4);
    assertThatThrownBy(() -> tooMany.using(lease -> Mono.just(1)).block(LONG))
        .isInstanceOf(IllegalArgumentException.class);

    var both = Lockkeeper.multiLock(keeper.lock("stock"), keeper.lock("stock:2"));
    assertThat(ReactorLock.of(both).using(lease -> Mono.just(lease.tokens())).block(LONG))
        .hasSize(2);
    assertThat(List.of(other.lock("stock").isLocked(), other.lock("stock:2").isLocked()))
        .containsOnly(false);
  }
}
