package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.spi.Inspection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Chapter "Waiting and order", without the order: see {@link OrderTck}.
 *
 * <p>This file is long because the chapter has many promises.
 */
public abstract class WaitingTck extends TckBase {

  /** How many threads of its own a client has for callbacks. */
  private static final int CALLBACK_THREADS = 4;

  /** How fast the store has surely answered a withdrawal that a wait has waited for. */
  private static final Duration ANSWERED = Duration.ofMillis(80);

  @Test
  @Promise("W1")
  void aWaiterThatHearsNothingGetsItsTurn() {
    Faults deaf = faults();
    deaf.loseNotifications();
    DistributedLock held = client().lock(NAME);
    DistributedLock waiting = client(deaf).lock(NAME);
    held.lock();
    Worker waiter = worker();
    Future<Boolean> got = waiter.begin(waiting::lock);
    awaitWaiting(NAME, 1);

    held.unlock();

    assertThat(Worker.get(got)).isTrue();
    waiter.run(waiting::unlock);
  }

  @Test
  @Promise("W1")
  void aHolderThatHearsNothingLetsOthersIn() {
    Faults deaf = faults();
    deaf.loseNotifications();
    DistributedLock busy = client(deaf, builder -> builder.lease(KEPT)).lock(NAME);
    DistributedLock waiting = client().lock(NAME);
    CompletableFuture<Boolean> over = new CompletableFuture<>();
    Future<Boolean> first = worker().begin(() -> lockUntil(busy, over));
    Future<Boolean> second = worker().begin(() -> lockUntil(busy, over));

    Worker waiter = worker();
    waiter.run(waiting::lock);
    waiter.run(waiting::unlock);

    over.complete(true);
    assertThat(Worker.get(first)).isTrue();
    assertThat(Worker.get(second)).isTrue();
  }

  private static void lockUntil(DistributedLock lock, CompletableFuture<Boolean> over) {
    while (!over.isDone()) {
      lock.lock();
      lock.unlock();
    }
  }

  @Test
  @Promise({"W1", "W8"})
  void aWaiterThatWasCutOffWhenItsTurnCameGetsItAfterwards() {
    Faults faults = faults();
    DistributedLock held = client().lock(NAME);
    DistributedLock waiting = client(faults).lock(NAME);
    held.lock();
    Worker waiter = worker();
    Future<Boolean> got = waiter.begin(waiting::lock);
    awaitWaiting(NAME, 1);

    faults.refuse();
    held.unlock();
    pass(Delays.millis(300));
    assertThat(got).isNotDone();
    faults.heal();

    assertThat(Worker.get(got)).isTrue();
    waiter.run(waiting::unlock);
  }

  @Test
  @ResourceLock(TckBase.MEMORY)
  @Promise({"W1", "W8"})
  void aWaiterThatTheStoreForgotGetsItsTurn() {
    DistributedLock held = client(builder -> builder.lease(KEPT)).lock(NAME);
    DistributedLock waiting = client().lock(NAME);
    held.lock();
    Lease lease = held.heldLease();
    Worker waiter = worker();
    Future<Boolean> got = waiter.begin(waiting::lock);
    awaitWaiting(NAME, 1);

    loseEverything();

    assertThat(Worker.get(got)).isTrue();
    waiter.run(waiting::unlock);
    eventually().until(() -> !lease.isValid());
  }

  @Test
  @Promise("W4")
  void anInterruptedWaitLeavesNoPlace() {
    DistributedLock held = client().lock(NAME);
    DistributedLock fair = client().fairLock(NAME);
    DistributedLock shared = client().lock(NAME);
    held.lock();
    Worker first = worker();
    Worker second = worker();
    Future<Boolean> one = first.begin(fair::lockInterruptibly);
    Future<Boolean> two = second.begin(() -> shared.tryLock(1, TimeUnit.HOURS));
    awaitWaiting(NAME, 2);

    first.interrupt();
    second.interrupt();

    assertThatThrownBy(() -> Worker.get(one)).isInstanceOf(InterruptedException.class);
    assertThatThrownBy(() -> Worker.get(two)).isInstanceOf(InterruptedException.class);
    awaitWaiting(NAME, 0);
    held.unlock();
    awaitFree(NAME);
  }

  @Test
  @Promise({"W4", "D6"})
  void aTimedOutWaitLeavesNoPlace() {
    DistributedLock held = client().lock(NAME);
    DistributedLock waiting = client().fairLock(NAME);
    held.lock();

    assertThat(worker().call(() -> waiting.tryLock(50, TimeUnit.MILLISECONDS))).isFalse();

    awaitWaiting(NAME, 0);
    held.unlock();
    awaitFree(NAME);
  }

  @Test
  @Promise({"W4", "R8"})
  void whatIsReleasedAfterATimedOutWaitGoesToNobodyWhoHasLeft() throws Exception {
    LockOptions confirmed = LockOptions.defaults().withConfirmedRelease(true);
    DistributedLock held = client().lock(NAME, confirmed);
    Lockkeeper leaving = client();
    DistributedLock next = client().lock(NAME);
    Worker waiter = worker();
    for (int i = 0; i < Rounds.of(50); i++) {
      DistributedLock waiting = i % 2 == 0 ? leaving.lock(NAME) : leaving.fairLock(NAME);
      boolean isAsync = i % 4 >= 2;
      AcquireOptions brief = AcquireOptions.defaults().withWait(Duration.ofMillis(5));
      held.lock();
      long begunNanos = System.nanoTime();
      if (isAsync) {
        assertThatThrownBy(() -> Worker.outcome(waiting.acquireAsync(brief)))
            .isInstanceOf(AcquireTimeoutException.class);
      } else {
        assertThat(waiter.call(() -> waiting.tryLock(brief))).isFalse();
      }
      boolean isAnswered = System.nanoTime() - begunNanos < ANSWERED.toNanos();
      held.unlock();
      assertThat(next.tryLock() || !isAnswered).as("round %d: free", i).isTrue();
      if (next.isHeldByCurrentThread()) {
        next.unlock();
      }
      awaitFree(NAME);
    }
  }

  @Test
  @Promise({"W4", "W10"})
  void aCancelledWaitLeavesNoPlace() {
    DistributedLock held = client().lock(NAME);
    Lockkeeper keeper = client();
    held.lock();
    CompletableFuture<Lease> one = keeper.lock(NAME).acquireAsync().toCompletableFuture();
    CompletableFuture<Lease> two = keeper.fairLock(NAME).acquireAsync().toCompletableFuture();
    awaitWaiting(NAME, 2);

    one.cancel(false);
    two.cancel(true);

    awaitWaiting(NAME, 0);
    held.unlock();
    awaitFree(NAME);
  }

  @Test
  @Promise({"W4", "W10"})
  void cancellingAtTheMomentOfTheGrantLeavesNothingHeld() {
    DistributedLock held = client().lock(NAME);
    Lockkeeper keeper = client();
    for (int i = 0; i < Rounds.of(50); i++) {
      held.lock();
      CompletableFuture<Lease> later = keeper.lock(NAME).acquireAsync().toCompletableFuture();
      Future<Boolean> unlocked = worker().begin(() -> later.cancel(false));
      held.unlock();
      Worker.get(unlocked);
      if (!later.isCancelled()) {
        later.join().release();
      }
      awaitFree(NAME);
    }
  }

  @Test
  @Promise("W5")
  void aDeadHolderBlocksNobodyForLongerThanItsLease() {
    Faults faults = faults();
    DistributedLock dead = client(faults, builder -> builder.lease(Delays.millis(600))).lock(NAME);
    dead.lock();
    faults.kill();

    DistributedLock next = client().lock(NAME);
    next.lock();

    assertThat(dead.isHeldByCurrentThread()).isFalse();
    next.unlock();
  }

  @Test
  @Promise("W5")
  void aDeadHolderThatGotItsLockLocallyBlocksNobodyForLongerThanItsOwnLease() {
    Faults faults = faults();
    Lockkeeper keeper = client(faults, builder -> builder.lease(Duration.ofHours(1)));
    DistributedLock lock = keeper.lock(NAME);
    lock.lock();
    Worker second = worker();
    Future<Boolean> got = second.begin(() -> lock.lock(fixed(Delays.millis(2_000))));
    second.awaitParked();
    lock.unlock();
    Worker.get(got);
    eventually()
        .until(() -> requireHolder().leaseMicros() <= Delays.millis(2_100).toNanos() / 1_000);
    faults.kill();

    DistributedLock next = client().lock(NAME);
    next.lock();
    next.unlock();
  }

  private Inspection.Holder requireHolder() {
    return Objects.requireNonNull(inspect(NAME).holder());
  }

  @Test
  @Promise("W6")
  void deadWaitersBlockNobodyForLongerThanTheHeartbeat() {
    DistributedLock held = client().lock(NAME);
    held.lock();
    List<Faults> deaths = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      Faults faults = faults();
      deaths.add(faults);
      DistributedLock dead = client(faults).fairLock(NAME);
      worker().doom(dead::lock);
      awaitWaiting(NAME, i);
    }
    deaths.forEach(Faults::kill); // together: a store may notice the first one's death at once
    DistributedLock alive = client().fairLock(NAME);
    Worker waiter = worker();
    Future<Boolean> got = waiter.begin(alive::lock);
    awaitWaiting(NAME, 1); // the dead have died: the store counts the living

    held.unlock();

    assertThat(Worker.get(got)).isTrue();
    waiter.run(alive::unlock);
  }

  @Test
  @Promise("W7")
  void oneThatDiesAsItIsLetInBlocksNobodyForLongerThanTheClaimDeadline() {
    DistributedLock held = client().lock(NAME);
    Faults faults = faults();
    DistributedLock dead = client(faults).lock(NAME);
    DistributedLock next = client().lock(NAME);
    held.lock();
    worker().doom(dead::lock);
    awaitWaiting(NAME, 1);
    Worker waiter = worker();
    Future<Boolean> got = waiter.begin(next::lock);
    awaitWaiting(NAME, 2);

    faults.kill();
    held.unlock();

    assertThat(Worker.get(got)).isTrue();
    waiter.run(next::unlock);
  }

  @Test
  @Promise("W8")
  void aWaitBeginsWhileTheStoreCannotBeReached() {
    Faults faults = faults();
    DistributedLock lock = client(faults).lock(NAME);
    faults.refuse();
    Worker waiter = worker();
    Future<Boolean> got = waiter.begin(lock::lock);
    waiter.awaitParked();

    faults.heal();

    assertThat(Worker.get(got)).isTrue();
    waiter.run(lock::unlock);
  }

  @Test
  @Promise("W10")
  void asynchronousAcquisitionsGetTheirTurnOneAfterAnother() {
    Lockkeeper keeper = client();
    Lockkeeper other = client();
    CompletableFuture<?>[] all = new CompletableFuture<?>[100];
    for (int i = 0; i < all.length; i++) {
      DistributedLock lock = i % 3 == 0 ? other.lock(NAME) : keeper.lock(NAME);
      all[i] = lock.acquireAsync().thenAccept(Lease::release).toCompletableFuture();
    }

    Worker.get(CompletableFuture.allOf(all));
  }

  @Test
  @Promise({"W10", "K1"})
  void anExecutorThatThrowsErrorsKeepsNobodyWaiting() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    Executor bad =
        task -> {
          if (calls.incrementAndGet() % 2 == 0) {
            throw new OutOfMemoryError("made up: unable to create native thread");
          }
          task.run(); // on the calling thread, which may be the driver's
        };
    Lockkeeper keeper = client(builder -> builder.executor(bad).lease(KEPT));
    Lease held = keeper.lock("held").acquire();
    Set<Thread> runners = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < 20; i++) {
      DistributedLock lock = keeper.lock(NAME);
      CompletableFuture<Lease> request = lock.acquireAsync().toCompletableFuture();
      Worker.get(request).release();
      CompletableFuture<LeaseLost> lost = new CompletableFuture<>();
      lock.acquire(fixed(Delays.millis(60)))
          .onLost(
              loss -> {
                runners.add(Thread.currentThread());
                lost.complete(loss);
              });
      Worker.get(lost);
    }

    assertThat(runners).allMatch(thread -> thread.getName().equals("lockkeeper-callback"));
    assertThat(held.isValid()).isTrue();
    held.release();
  }

  @Test
  @Promise("W10")
  void callbacksThatWaitForALockDoNotKeepItFromEachOtherForEver() throws InterruptedException {
    Lockkeeper other = client();
    Lease theirs = other.lock(NAME).acquire();
    List<Lease> starts = new ArrayList<>();
    Lockkeeper keeper = client();
    DistributedLock wanted = keeper.lock(NAME, LockOptions.defaults().withLease(KEPT));
    CompletableFuture<Lease> first = wanted.acquireAsync().toCompletableFuture();
    awaitWaiting(NAME, 1);
    AtomicInteger blocked = new AtomicInteger();
    List<CompletableFuture<Void>> callbacks = new ArrayList<>();
    for (int i = 0; i < CALLBACK_THREADS; i++) {
      DistributedLock start = other.lock("start" + i);
      starts.add(start.acquire());
      callbacks.add(
          keeper
              .lock("start" + i)
              .acquireAsync()
              .thenAccept(
                  lease -> {
                    lease.release();
                    blocked.incrementAndGet();
                    wanted.lock();
                    wanted.unlock();
                  })
              .toCompletableFuture());
    }
    starts.forEach(Lease::release);
    eventually().until(() -> blocked.get() == CALLBACK_THREADS);

    theirs.release(); // goes to the first, whose completion waits behind those callbacks

    Worker.get(CompletableFuture.allOf(callbacks.toArray(CompletableFuture<?>[]::new)));
    assertThat(Worker.get(first).isValid()).as("its turn is over").isFalse();
  }

  @Test
  @Promise({"W10", "D6"})
  void anAsynchronousAcquisitionKeepsItsTimeLimit() {
    DistributedLock held = client().lock(NAME);
    held.lock();
    CompletableFuture<Lease> later =
        client()
            .lock(NAME)
            .acquireAsync(AcquireOptions.defaults().withWait(Delays.millis(50)))
            .toCompletableFuture();

    assertThatThrownBy(() -> Worker.get(later)).isInstanceOf(AcquireTimeoutException.class);

    awaitWaiting(NAME, 0);
    held.unlock();
  }
}
