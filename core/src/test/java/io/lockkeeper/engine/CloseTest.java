package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLost.Reason;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.spi.ResourceId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What closing a client does. */
@SuppressWarnings("LockNotBeforeTry") // where a test locks is what it is about
class CloseTest {

  @Test
  void closingReleasesWhatIsHeldAndTellsTheHolders() {
    try (Rig rig = Rig.obliging()) {
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      rig.keeper.lock("b").lock();
      List<LeaseLost> heard = new ArrayList<>();
      lease.onLost(heard::add);
      rig.keeper.close();
      rig.settle();

      assertThat(rig.store.log).contains("release 1", "release 2");
      assertThat(lease.isValid()).isFalse();
      assertThat(heard).extracting(LeaseLost::reason).containsExactly(Reason.CLIENT_CLOSED);
      assertThatExceptionOfType(LeaseLostException.class)
          .isThrownBy(() -> rig.keeper.lock("b").unlock());
    }
  }

  @Test
  void aThreadThatHeldALockIsToldThatItsClientIsClosed() {
    Rig rig = Rig.obliging();
    DistributedLock lock = rig.keeper.lock("a");
    lock.lock();
    rig.keeper.close();
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(lock::lock).isInstanceOf(LockkeeperClosedException.class);
      assertThatThrownBy(lock::tryLock).isInstanceOf(LockkeeperClosedException.class);
    }
    assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(lock::lock).isInstanceOf(LockkeeperClosedException.class);
    rig.close();
  }

  @Test
  void closingEndsEveryWaitAndTakesTheClaimsBack() {
    try (Rig rig = Rig.silent()) {
      rig.store.claims.always(request -> ScriptedStore.queued(request.claim()));
      rig.store.withdrawals.always(
          request -> io.lockkeeper.spi.Outcome.answered(io.lockkeeper.spi.WithdrawAnswer.LEFT));
      CompletionStage<Lease> shared = rig.keeper.lock("a").acquireAsync();
      CompletionStage<Lease> strict = rig.keeper.fairLock("b").acquireAsync();
      Actor actor = rig.actor("t");
      CompletableFuture<Void> blocked = actor.begin(() -> rig.keeper.lock("c").lock());
      actor.awaitParked();
      rig.keeper.close();

      assertThat(rig.failed(shared)).isInstanceOf(LockkeeperClosedException.class);
      assertThat(rig.failed(strict)).isInstanceOf(LockkeeperClosedException.class);
      assertThat(Actor.end(blocked))
          .isInstanceOf(LockkeeperClosedException.class)
          .hasMessage("'c': this client was closed");
      assertThat(rig.store.withdrawals.count()).isEqualTo(3);
    }
  }

  @Test
  void aStoreThatFailsToCloseIsLoggedAndKeepsNobodyFromClosing() {
    try (Rig rig = Rig.obliging();
        LogCapture logged = new LogCapture()) {
      IllegalStateException failure = new IllegalStateException("cannot close");
      rig.store.closeFailure = failure;

      rig.keeper.close();

      assertThat(logged.failures()).contains(failure);
    }
  }

  @Test
  void whatClosingNoLongerWaitsForIsNeverConfirmed() {
    try (Rig rig = Rig.obliging()) {
      rig.store.releases.manual();
      Lease lease = rig.got(rig.keeper.lock("a").acquireAsync());
      CompletionStage<Void> before = lease.releaseAsync();
      rig.keeper.close();

      assertThat(rig.failed(before)).hasCauseInstanceOf(LockkeeperClosedException.class);
      assertThat(rig.failed(lease.releaseAsync()))
          .hasCauseInstanceOf(LockkeeperClosedException.class);
    }
  }

  @Test
  void closingEndsTheWaitOfThoseBehindALocalHolder() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock = rig.keeper.lock("a");
      lock.lock();
      CompletionStage<Lease> behind = lock.acquireAsync();
      rig.keeper.close();

      assertThat(rig.failed(behind)).isInstanceOf(LockkeeperClosedException.class);
    }
  }

  @Test
  void nothingCanBeAcquiredAfterwards() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock lock = rig.keeper.lock("a");
      rig.keeper.close();

      assertThatExceptionOfType(LockkeeperClosedException.class)
          .isThrownBy(lock::lock)
          .withMessage("'a': this client is closed");
      assertThatExceptionOfType(LockkeeperClosedException.class).isThrownBy(lock::tryLock);
      assertThatExceptionOfType(LockkeeperClosedException.class).isThrownBy(lock::acquire);
      assertThatExceptionOfType(LockkeeperClosedException.class).isThrownBy(lock::isLocked);
      assertThatExceptionOfType(LockkeeperClosedException.class).isThrownBy(lock::forceUnlock);
      assertThat(rig.store.log).isEmpty();
    }
  }

  @Test
  void closingAgainDoesNothing() {
    try (Rig rig = Rig.obliging()) {
      rig.keeper.close();
      rig.keeper.close();

      assertThat(rig.store.closed).isTrue();
    }
  }

  @Test
  void closingStopsTheScheduler() {
    try (Rig rig = Rig.obliging()) {
      rig.keeper.lock("a").lock();
      rig.keeper.close();

      assertThat(rig.scheduler.isClosed()).isTrue();
      assertThat(rig.scheduler.pending()).isZero();
    }
  }

  @Test
  void closingWaitsParkedForTheStoreToConfirmEveryRelease() {
    try (Rig rig = Rig.obliging()) {
      rig.store.releases.manual();
      rig.got(rig.keeper.lock("idle").acquireAsync()).release();
      rig.store.releases.next().reply(ScriptedStore.released(release(1)));
      rig.keeper.lock("held 1").lock();
      rig.keeper.lock("held 2").lock();
      Actor closer = rig.actor("closer");
      CompletableFuture<Void> closing = closer.begin(() -> rig.keeper.close());
      var first = rig.store.releases.next();
      var second = rig.store.releases.next();
      await()
          .atMost(Deadlines.GENEROUS)
          .until(() -> closer.thread().getState() == Thread.State.TIMED_WAITING);
      first.reply(ScriptedStore.released(first.request));
      await()
          .atMost(Deadlines.GENEROUS)
          .until(() -> closer.thread().getState() == Thread.State.TIMED_WAITING);
      assertThat(rig.store.closed).isFalse();
      second.reply(ScriptedStore.released(second.request));
      Actor.get(closing);

      assertThat(rig.store.closed).isTrue();
    }
  }

  private static io.lockkeeper.spi.ReleaseRequest release(long grant) {
    return new io.lockkeeper.spi.ReleaseRequest(ResourceId.lock("idle"), grant, grant, null);
  }

  @Test
  void closingTakesBoundedTimeIfTheStoreDoesNotAnswer() {
    ScriptedStore store = ScriptedStore.obliging();
    store.releases.manual();
    io.lockkeeper.Lockkeeper keeper = io.lockkeeper.Lockkeeper.builder().connect(context -> store);
    keeper.lock("a").lock();
    try (LogCapture log = new LogCapture()) {
      Actor closer = new Actor("closer");
      Actor.get(closer.begin(() -> keeper.close())); // fails if it takes longer than generous
      closer.close();

      assertThat(log.messages()).anyMatch(message -> message.contains("ends with its lease"));
    }
    assertThat(store.closed).isTrue();
  }

  @Test
  void anInterruptDoesNotCutClosingShortAndIsKept() {
    try (Rig rig = Rig.obliging()) {
      rig.store.releases.manual();
      rig.keeper.lock("a").lock();
      Actor closer = rig.actor("closer");
      CompletableFuture<Boolean> closing =
          closer.begin(
              () -> {
                Thread.currentThread().interrupt();
                rig.keeper.close();
                return Thread.interrupted();
              });
      var release = rig.store.releases.next();
      assertThat(rig.store.closed).isFalse();
      release.reply(ScriptedStore.released(release.request));

      assertThat(Actor.get(closing)).as("still interrupted").isTrue();
    }
  }

  @Test
  void callbacksThatTheExecutorRefusesAreRunAllTheSame() {
    ScriptedStore store = new ScriptedStore();
    io.lockkeeper.Lockkeeper keeper =
        io.lockkeeper.Lockkeeper.builder()
            .executor(
                task -> {
                  throw new java.util.concurrent.RejectedExecutionException("full");
                })
            .connect(context -> store);
    CompletionStage<Lease> request = keeper.lock("a").acquireAsync();
    var call = store.claims.next();
    try (LogCapture log = new LogCapture()) {
      call.reply(ScriptedStore.granted(store.grant(call.request)));

      assertThat(Actor.get(request.toCompletableFuture()).isValid()).isTrue();
      assertThat(log.messages()).isNotEmpty();
    }
    store.oblige();
    keeper.close();
  }

  @Test
  void anActionGivenToALostLeaseAfterClosingIsStillCalled() throws Exception {
    ScriptedStore store = ScriptedStore.obliging();
    io.lockkeeper.Lockkeeper keeper = io.lockkeeper.Lockkeeper.builder().connect(context -> store);
    Lease lease = keeper.lock("a").acquire();
    keeper.close();
    CompletableFuture<LeaseLost> heard = new CompletableFuture<>();
    try (LogCapture log = new LogCapture()) {
      lease.onLost(heard::complete);

      assertThat(Actor.get(heard).reason()).isEqualTo(Reason.CLIENT_CLOSED);
      assertThat(log.failures()).hasSizeLessThanOrEqualTo(1);
    }
  }

  @Test
  void anEventAfterOneThatTheExecutorRefusedIsStillHeard() throws InterruptedException {
    ScriptedStore store = ScriptedStore.obliging();
    List<String> heard = java.util.Collections.synchronizedList(new ArrayList<>());
    java.util.List<Thread> threads = new java.util.concurrent.CopyOnWriteArrayList<>();
    java.util.concurrent.atomic.AtomicBoolean full =
        new java.util.concurrent.atomic.AtomicBoolean();
    try (io.lockkeeper.Lockkeeper keeper =
            io.lockkeeper.Lockkeeper.builder()
                .executor(
                    task -> {
                      if (full.get()) {
                        throw new java.util.concurrent.RejectedExecutionException("full");
                      }
                      Thread thread = new Thread(task);
                      threads.add(thread);
                      thread.start();
                    })
                .listener(
                    new io.lockkeeper.LockListener() {
                      @Override
                      public void onEvent(io.lockkeeper.LockEvent event) {
                        heard.add(event.name());
                      }

                      @Override
                      public void onConnection(Connection change) {
                        heard.add("connected");
                      }
                    })
                .connect(context -> store);
        LogCapture log = new LogCapture()) {
      await().atMost(Deadlines.GENEROUS).until(() -> heard.contains("connected"));
      for (Thread thread : threads) {
        thread.join(); // nothing of it is on its way any more
      }
      full.set(true);
      keeper.lock("a").lock();
      full.set(false);
      keeper.lock("b").lock();

      await().atMost(Deadlines.GENEROUS).until(() -> heard.contains("b"));
      assertThat(heard).containsExactly("connected", "a", "b");
      assertThat(log.messages()).isNotEmpty();
    }
  }
}
