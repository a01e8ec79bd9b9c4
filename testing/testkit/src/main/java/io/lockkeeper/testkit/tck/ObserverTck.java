package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LockObserver;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.MultiLock;
import io.lockkeeper.PermitLease;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Chapter "Observers".
 *
 * <p>This file is long because all tests record the calls of observers in the same way.
 */
@SuppressWarnings("LockNotBeforeTry") // what fails here fails the test
public abstract class ObserverTck extends TckBase {

  private static final long SHORT_NANOS = 5_000_000;

  private final Recorder recorder = new Recorder();

  /** Records the calls of an observer, and on which thread each came. */
  private static final class Recorder implements LockObserver {

    private final ConcurrentLinkedQueue<Request> requests = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<String> news = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Lease> leases = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Long> waitsNanos = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Long> holdsNanos = new ConcurrentLinkedQueue<>();

    private void note(String what) {
      threads.add(Thread.currentThread());
      news.add(what);
    }

    @Override
    public Attempt begin(Request request) {
      note("begin");
      requests.add(request);
      return new Attempt() {
        @Override
        public void acquired(Lease lease, Via via, long waitedNanos) {
          note(via.toString());
          leases.add(lease);
          waitsNanos.add(waitedNanos);
        }

        @Override
        public void ended(Ending why, @Nullable Throwable failure, long waitedNanos) {
          note(why.toString());
          waitsNanos.add(waitedNanos);
        }

        @Override
        public void released(long heldNanos) {
          note("released");
          holdsNanos.add(heldNanos);
        }

        @Override
        public void lost(LeaseLost loss, long heldNanos) {
          note("lost " + loss.reason());
          holdsNanos.add(heldNanos);
        }
      };
    }

    /** Returns what it was told since this was asked last. */
    private List<String> take() {
      List<String> all = List.copyOf(news);
      news.clear();
      threads.clear();
      requests.clear();
      leases.clear();
      waitsNanos.clear();
      holdsNanos.clear();
      return all;
    }

    private void awaitLast(String what) {
      eventually().until(() -> List.copyOf(news).contains(what));
    }
  }

  private Lockkeeper observed() {
    return client(builder -> builder.observer(recorder));
  }

  // ---------------------------------------------------------------- attempts

  @Test
  @Promise("OB1")
  void aBlockingAttemptAndItsHoldAreSeenOnTheCallersThread() {
    DistributedLock lock = observed().lock(NAME);
    Worker worker = worker();

    worker.run(lock::lock);

    assertThat(recorder.news).containsExactly("begin", "STORE");
    assertThat(recorder.requests)
        .containsExactly(
            new LockObserver.Request(
                ResourceKind.LOCK, NAME, LockObserver.Mode.LOCK, 1, Optional.empty(), true));
    assertThat(recorder.leases.element().token()).isEqualTo(worker.call(lock::token));
    worker.run(lock::unlock);
    assertThat(recorder.threads).containsOnly(worker.call(Thread::currentThread));
    assertThat(recorder.take()).containsExactly("begin", "STORE", "released");
  }

  @Test
  @Promise("OB1")
  void whatIsAskedForIsTold() throws InterruptedException {
    Lockkeeper keeper = observed();
    Duration wait = Duration.ofSeconds(20);
    keeper.fairLock("fair").acquire(AcquireOptions.defaults().withWait(wait)).release();
    DistributedReadWriteLock both = keeper.readWriteLock("both");
    both.readLock().lock();
    both.readLock().unlock();
    assertThat(both.writeLock().tryLock()).isTrue();
    both.writeLock().unlock();
    keeper.semaphore("permits", 3).acquire(2).release();

    assertThat(recorder.requests)
        .containsExactly(
            new LockObserver.Request(
                ResourceKind.LOCK, "fair", LockObserver.Mode.FAIR, 1, Optional.of(wait), false),
            new LockObserver.Request(
                ResourceKind.READ_WRITE_LOCK,
                "both",
                LockObserver.Mode.READ,
                1,
                Optional.empty(),
                true),
            new LockObserver.Request(
                ResourceKind.READ_WRITE_LOCK,
                "both",
                LockObserver.Mode.WRITE,
                1,
                Optional.of(Duration.ZERO),
                true),
            new LockObserver.Request(
                ResourceKind.SEMAPHORE,
                "permits",
                LockObserver.Mode.PERMITS,
                2,
                Optional.empty(),
                false));
    assertThat(recorder.news).filteredOn("released"::equals).hasSize(4);
  }

  @Test
  @Promise({"OB1", "OB2"})
  void aReentryIsAnAttemptAndNoHoldOfItsOwn() {
    DistributedLock lock = observed().lock(NAME);
    lock.lock();
    lock.lock();
    lock.unlock();

    assertThat(recorder.take()).containsExactly("begin", "STORE", "begin", "REENTRY");
    lock.unlock();
    assertThat(recorder.take()).containsExactly("released");
  }

  @Test
  @Promise("OB1")
  void aHandOffInsideTheClientIsSeenAsThat() {
    DistributedLock lock = observed().lock(NAME);
    lock.lock();
    Worker waiter = worker();
    Future<Boolean> got = waiter.begin(lock::lock);
    waiter.awaitParked();

    lock.unlock();
    Worker.get(got);

    assertThat(recorder.news).containsOnlyOnce("HAND_OFF");
    waiter.run(lock::unlock);
  }

  @Test
  @Promise("OB1")
  void aRetainedLockIsSeenAsThat() {
    assumeNotifications();
    DistributedLock lock =
        observed().lock(NAME, LockOptions.defaults().withRetention(Duration.ofMinutes(5)));
    lock.lock();
    lock.unlock();
    recorder.take();

    lock.lock();
    lock.unlock();

    assertThat(recorder.take()).containsExactly("begin", "RETAINED", "released");
  }

  @Test
  @Promise("OB1")
  void anAsynchronousAttemptIsOverBeforeItsStage() {
    DistributedLock lock = observed().lock(NAME);
    CompletableFuture<Lease> future = lock.acquireAsync().toCompletableFuture();
    CompletableFuture<List<String>> then = future.thenApply(lease -> List.copyOf(recorder.news));

    Lease lease = Worker.get(future);

    assertThat(Worker.get(then)).containsExactly("begin", "STORE");
    List<Thread> threads = List.copyOf(recorder.threads);
    assertThat(threads.get(0)).isSameAs(Thread.currentThread());
    assertThat(threads.get(1)).isNotSameAs(Thread.currentThread());
    Worker other = worker();
    other.run(lease::release);
    assertThat(List.copyOf(recorder.threads).get(2)).isSameAs(other.call(Thread::currentThread));
    assertThat(recorder.take()).containsExactly("begin", "STORE", "released");
  }

  @Test
  @Promise({"OB1", "OB2"})
  void waitsAndHoldsAreTimed() {
    DistributedLock lock = observed().lock(NAME);
    lock.lock();
    recorder.take();
    long beforeNanos = System.nanoTime();
    Worker waiter = worker();
    Future<Boolean> got = waiter.begin(lock::lock);
    waiter.awaitParked();
    long parkedNanos = System.nanoTime();
    eventually().until(() -> System.nanoTime() - parkedNanos > SHORT_NANOS);
    lock.unlock();
    Worker.get(got);
    long lockedNanos = System.nanoTime();
    assertThat(recorder.waitsNanos.element()).isBetween(SHORT_NANOS, lockedNanos - beforeNanos);

    assertThat(lock.tryLock()).isFalse();
    assertThat(recorder.waitsNanos).hasSize(2).allMatch(nanos -> nanos >= 0);

    recorder.holdsNanos.clear();
    eventually().until(() -> System.nanoTime() - lockedNanos > SHORT_NANOS);
    waiter.run(lock::unlock);
    assertThat(recorder.holdsNanos.element())
        .isBetween(SHORT_NANOS, System.nanoTime() - parkedNanos);
  }

  @Test
  @Promise("OB2")
  void aHoldThatIsLostWasHeldUntilThen() throws InterruptedException {
    DistributedLock lock = observed().lock(NAME);
    long beforeNanos = System.nanoTime();
    lock.acquire(fixed(Delays.millis(50)));

    recorder.awaitLast("lost FIXED_LEASE_ENDED");

    eventually().until(() -> !recorder.holdsNanos.isEmpty());
    assertThat(recorder.holdsNanos.element()).isBetween(1L, System.nanoTime() - beforeNanos);
  }

  // ---------------------------------------------------------------- endings

  @Test
  @Promise("OB1")
  void anAttemptThatBringsNothingSaysWhy() throws InterruptedException {
    DistributedLock held = client().lock(NAME);
    held.lock();
    Lockkeeper keeper = observed();
    DistributedLock lock = keeper.lock(NAME);

    assertThat(lock.tryLock()).isFalse();
    assertThat(recorder.take()).containsExactly("begin", "TIMEOUT");
    assertThat(lock.tryLock(Duration.ofMillis(20))).isFalse();
    assertThat(recorder.take()).containsExactly("begin", "TIMEOUT");

    Worker interrupted = worker();
    interrupted.doom(lock::lockInterruptibly);
    interrupted.awaitParked();
    interrupted.interrupt();
    recorder.awaitLast("INTERRUPTED");
    assertThat(recorder.take()).containsExactly("begin", "INTERRUPTED");

    CompletableFuture<Lease> cancelled = lock.acquireAsync().toCompletableFuture();
    awaitWaiting(NAME, 1);
    cancelled.cancel(false);
    assertThat(recorder.take()).containsExactly("begin", "CANCELLED");

    CompletableFuture<Lease> late =
        lock.acquireAsync(AcquireOptions.defaults().withWait(Duration.ofMillis(20)))
            .toCompletableFuture();
    assertThatThrownBy(() -> Worker.get(late)).isNotNull();
    assertThat(recorder.take()).containsExactly("begin", "TIMEOUT");

    CompletableFuture<Lease> waiting = lock.acquireAsync().toCompletableFuture();
    keeper.close();
    assertThatThrownBy(() -> Worker.get(waiting)).isInstanceOf(LockkeeperClosedException.class);
    assertThatThrownBy(lock::lock).isInstanceOf(LockkeeperClosedException.class);
    assertThat(recorder.take()).containsExactly("begin", "CLOSED", "begin", "CLOSED");
    held.unlock();
  }

  @Test
  @Promise("OB1")
  void aStoreThatDoesNotAnswerIsSeenAsThat() {
    Faults faults = faults();
    DistributedLock lock =
        client(faults, builder -> builder.observer(recorder).storeTimeout(Duration.ofMillis(50)))
            .lock(NAME);
    faults.refuse();

    assertThatThrownBy(lock::lock).isInstanceOf(StoreUnavailableException.class);

    assertThat(recorder.take()).containsExactly("begin", "UNAVAILABLE");
  }

  // ---------------------------------------------------------------- the end of a hold

  @Test
  @Promise("OB2")
  void aHoldEndsOnceReleasedOrLost() throws InterruptedException {
    Lockkeeper keeper = observed();
    DistributedLock lock = keeper.lock(NAME);
    lock.acquire(fixed(Delays.millis(50)));
    recorder.awaitLast("lost FIXED_LEASE_ENDED");
    assertThat(recorder.threads).last().isNotSameAs(Thread.currentThread());
    assertThat(recorder.take()).containsExactly("begin", "STORE", "lost FIXED_LEASE_ENDED");

    PermitLease permits = keeper.semaphore(NAME, 3).acquire(3);
    permits.release(1);
    assertThat(recorder.take()).containsExactly("begin", "STORE");
    permits.release(2);
    permits.release();
    assertThat(recorder.take()).containsExactly("released");

    lock.lock();
    keeper.close();
    recorder.awaitLast("lost CLIENT_CLOSED");
    assertThat(recorder.take()).containsExactly("begin", "STORE", "lost CLIENT_CLOSED");
  }

  @Test
  @Promise("OB2")
  void aHoldThatIsReleasedToRestIsSeenToEnd() throws InterruptedException {
    DistributedLock lock = observed().lock(NAME);

    lock.acquire().releaseAfter(Duration.ofMillis(1));

    assertThat(recorder.take()).containsExactly("begin", "STORE", "released");
    client().lock(NAME).acquire().release(); // clears up, where that is left to the next holder
    awaitFree(NAME);
  }

  @Test
  @Promise("OB2")
  void aWriterThatReadsOnHoldsOn() {
    DistributedReadWriteLock lock = observed().readWriteLock(NAME);
    lock.writeLock().lock();
    lock.readLock().lock();
    lock.writeLock().unlock();

    assertThat(recorder.take()).containsExactly("begin", "STORE", "begin", "REENTRY");
    lock.readLock().unlock();
    assertThat(recorder.take()).containsExactly("released");
  }

  // ---------------------------------------------------------------- what is made of locks

  @Test
  @Promise("OB1")
  void aMultiLockIsSeenAsItsLocks() {
    Lockkeeper keeper = observed();
    MultiLock both = Lockkeeper.multiLock(keeper.lock("a"), keeper.fairLock("b"));

    both.lock();
    assertThat(recorder.requests).extracting(LockObserver.Request::name).containsExactly("a", "b");
    both.unlock();

    assertThat(recorder.take())
        .containsExactly("begin", "STORE", "begin", "STORE", "released", "released");
  }

  // ---------------------------------------------------------------- harm

  @Test
  @Promise("OB3")
  void anObserverThatThrowsDoesNoHarm() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    LockObserver broken =
        request -> {
          if (calls.getAndIncrement() == 0) {
            throw new IllegalStateException("by the test's wish");
          }
          return new LockObserver.Attempt() {
            @Override
            public void acquired(Lease lease, LockObserver.Via via, long waitedNanos) {
              throw new AssertionError("by the test's wish");
            }

            @Override
            public void ended(
                LockObserver.Ending why, @Nullable Throwable failure, long waitedNanos) {
              throw new IllegalStateException("by the test's wish");
            }

            @Override
            public void released(long heldNanos) {
              throw new IllegalStateException("by the test's wish");
            }
          };
        };
    Lockkeeper keeper =
        client(builder -> builder.observer(broken).observer(request -> null).observer(recorder));
    DistributedLock lock = keeper.lock(NAME);
    for (int i = 0; i < 3; i++) {
      lock.lock();
      assertThat(worker().call(() -> lock.tryLock())).isFalse();
      lock.unlock();
      Worker.outcome(lock.acquireAsync()).release();
    }

    assertThat(calls).hasValue(9);
    assertThat(recorder.take()).hasSize(3 * (3 + 2 + 3));
    awaitFree(NAME);
  }
}
