package io.lockkeeper.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.LeaderListener;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.MultiLease;
import io.lockkeeper.MultiLock;
import io.lockkeeper.PermitLease;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.Term;
import io.lockkeeper.engine.state.Transition;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellValue;
import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.RenewAnswer;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.WithdrawAnswer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Whatever is thrown at the engine, by whomever: it goes on, and says so. */
@SuppressWarnings("LockNotBeforeTry") // where a test locks is what it is about
public class ThrowablesTest {

  private final Error fault = new NoClassDefFoundError("made up");

  /** Throws an error once, also as an unchecked stranger. */
  private final class Once {

    private final AtomicBoolean armed = new AtomicBoolean(true);

    void fail() {
      if (armed.getAndSet(false)) {
        throw fault;
      }
    }
  }

  @Test
  void anErrorOfTheExecutorStopsNoName() {
    Once once = new Once();
    AtomicBoolean connected = new AtomicBoolean();
    try (LogCapture log = new LogCapture();
        Rig rig =
            Rig.obliging(
                builder ->
                    builder.executor(
                        task -> {
                          if (connected.get()) {
                            once.fail(); // and runs nothing of it
                          } else {
                            new Thread(task).start();
                          }
                        }))) {
      connected.set(true);
      DistributedLock lock = rig.keeper.lock("n");
      CompletionStage<Lease> first = lock.acquireAsync();
      Lease lease = Actor.get(first.toCompletableFuture()); // by a thread of the client's own
      lease.release();

      assertThat(lock.tryLock()).isTrue();
      lock.unlock();
      assertThat(log.failures()).containsOnlyOnce(fault);
    }
  }

  @Test
  void anErrorOfTheStoreIsAnUnknownOutcome() {
    for (String operation : List.of("claim", "release", "renew", "poll", "withdraw")) {
      Once once = new Once();
      ScriptedStore store = ScriptedStore.obliging();
      try (Rig rig = Rig.on(store)) {
        switch (operation) {
          case "claim" -> {
            store.claims.always(
                request -> {
                  once.fail();
                  return ScriptedStore.granted(store.grant(request));
                });
            CompletionStage<Lease> request = rig.keeper.lock("n").acquireAsync();
            rig.pass(Duration.ofSeconds(2));
            assertThat(rig.got(request).isValid()).isTrue();
          }
          case "release" -> {
            store.releases.always(
                request -> {
                  once.fail();
                  return ScriptedStore.released(request);
                });
            rig.got(rig.keeper.lock("n").acquireAsync()).release();
            rig.pass(Duration.ofSeconds(2));
            assertThat(store.releases.count()).isEqualTo(2);
          }
          case "renew" -> {
            store.renewals.always(
                batch -> {
                  once.fail();
                  return ScriptedStore.renewed(batch, false);
                });
            Lease lease = rig.got(rig.keeper.lock("n").acquireAsync());
            rig.pass(Rig.LEASE.multipliedBy(2));
            assertThat(lease.isValid()).isTrue();
          }
          case "poll" -> {
            store.claims.always(request -> ScriptedStore.queued(request.claim()));
            store.polls.always(
                batch -> {
                  once.fail();
                  return ScriptedStore.silence(batch);
                });
            var unused = rig.keeper.lock("n").acquireAsync();
            rig.pass(Duration.ofSeconds(10));
            assertThat(store.polls.count()).isGreaterThan(2);
          }
          default -> {
            store.claims.always(request -> ScriptedStore.queued(request.claim()));
            store.withdrawals.always(
                request -> {
                  once.fail();
                  return Outcome.answered(WithdrawAnswer.LEFT);
                });
            rig.keeper.lock("n").acquireAsync().toCompletableFuture().cancel(false);
            rig.pass(Duration.ofSeconds(2));
            assertThat(store.withdrawals.count()).isEqualTo(2);
          }
        }
      }
    }
  }

  @Test
  void aStoreThatGivesNoAnswerToComeIsAskedAgain() {
    ScriptedStore store = ScriptedStore.obliging();
    AtomicBoolean mute = new AtomicBoolean(true);
    store.claims.always(
        request -> mute.getAndSet(false) ? null : ScriptedStore.granted(store.grant(request)));
    try (Rig rig = Rig.on(store)) {
      CompletionStage<Lease> request = rig.keeper.lock("n").acquireAsync();
      rig.pass(Duration.ofSeconds(2));

      assertThat(rig.got(request).isValid()).isTrue();
    }
  }

  @Test
  void anAnswerThatCannotBeTakenInHarmsNoOtherOfItsBatchAndIsLoggedOnceByName() {
    try (Rig rig = Rig.obliging();
        LogCapture log = new LogCapture()) {
      List<Lease> leases = new ArrayList<>();
      for (String name : List.of("first", "second", "third")) {
        leases.add(rig.got(rig.keeper.lock(name).acquireAsync()));
      }
      rig.store.renewals.manual();
      rig.pass(Duration.ofSeconds(10));
      var sent = rig.store.renewals.next();
      List<String> names = sent.request.stream().map(request -> request.resource().name()).toList();
      List<Outcome<RenewAnswer>> answers =
          new ArrayList<>(ScriptedStore.renewed(sent.request, false));
      answers.set(0, Outcome.answered(null)); // no store says that
      sent.reply(answers);
      rig.store.oblige();
      rig.pass(Duration.ofSeconds(22)); // the first end is over

      for (Lease lease : leases) {
        assertThat(lease.isValid()).as(lease.name()).isEqualTo(!lease.name().equals(names.get(0)));
      }
      assertThat(log.messages()).singleElement().asString().contains("'" + names.get(0) + "'");
    }
  }

  @Test
  void aBatchWithNothingInTheOtherPlacesIsAnswered() {
    try (Rig rig = Rig.obliging()) {
      Lease one = rig.got(rig.keeper.lock("one").acquireAsync());
      Lease two = rig.got(rig.keeper.lock("two").acquireAsync());
      rig.store.renewals.manual();
      rig.pass(Duration.ofSeconds(10));
      rig.store.renewals.next().reply(Arrays.asList(null, null));
      rig.store.oblige();
      rig.pass(Duration.ofSeconds(30));

      assertThat(one.isValid()).isTrue();
      assertThat(two.isValid()).isTrue();
    }
  }

  @Test
  void aStoreThatRefusesToRenewIsLoggedOnceWithItsReason() {
    try (Rig rig = Rig.obliging();
        LogCapture log = new LogCapture()) {
      Lease lease = rig.got(rig.keeper.lock("n").acquireAsync());
      rig.store.renewals.always(
          batch ->
              batch.stream()
                  .map(request -> Outcome.<RenewAnswer>refused(StoreProblem.DENIED, "no rights"))
                  .toList());
      rig.pass(Rig.LEASE);

      assertThat(lease.isValid()).isFalse();
      assertThat(rig.store.renewals.count()).isGreaterThan(2);
      assertThat(log.messages()).singleElement().asString().contains("'n'");
      assertThat(log.failures())
          .singleElement()
          .isInstanceOf(StoreRefusedException.class)
          .asString()
          .contains("no rights");
    }
  }

  @Test
  void anErrorInOneGateKeepsNoOtherFromBeingRenewed() {
    try (Rig rig = Rig.obliging();
        LogCapture log = new LogCapture()) {
      Lease held = rig.got(rig.keeper.lock("held").acquireAsync());
      rig.store.claims.always(request -> ScriptedStore.silence());
      for (int i = 0; i < 20; i++) {
        var unused = rig.keeper.lock("waits" + i).acquireAsync();
      }
      for (int i = 0; i < 90; i++) {
        rig.faults.put(Transition.CLAIM_SENT_AGAIN, fault);
        rig.pass(Duration.ofSeconds(1));
      }

      assertThat(held.isValid()).isTrue();
      assertThat(log.failures()).contains(fault);
    }
  }

  @Test
  void anErrorWhileANotificationIsTakenInIsNoneOfTheDrivers() {
    try (Rig rig = Rig.obliging();
        LogCapture log = new LogCapture()) {
      rig.got(rig.keeper.lock("a").acquireAsync());
      rig.got(rig.keeper.lock("b").acquireAsync());
      rig.faults.put(Transition.NOTIFICATION_WANTED, fault);
      rig.store.notifications.contended(ResourceId.lock("a"));
      rig.faults.put(Transition.NOTIFICATION_RECONNECTED, fault);
      rig.store.notifications.reconnected(); // one of the two fails
      int before = rig.store.renewals.count();
      rig.pass(Duration.ofMillis(10));

      assertThat(rig.store.renewals.count()).isEqualTo(before + 1);
      assertThat(log.failures()).containsExactly(fault, fault);
    }
  }

  @Test
  void anErrorWhileOneGateIsClosedLeavesNothingElseOpen() {
    try (Rig rig = Rig.obliging();
        LogCapture log = new LogCapture()) {
      rig.store.claims.always(request -> ScriptedStore.queued(request.claim()));
      for (String name : List.of("a", "b")) {
        var unused = rig.keeper.lock(name).acquireAsync();
      }
      rig.faults.put(Transition.CLAIM_WITHDRAWN, fault);
      rig.keeper.close();

      assertThat(log.failures()).containsOnlyOnce(fault);
      assertThat(rig.store.withdrawals.count()).as("the other one's").isEqualTo(1);
      assertThat(rig.store.closed).isTrue();
      assertThat(rig.scheduler.isClosed()).isTrue();
    }
  }

  @Test
  void anErrorWhileAThreadWaitsEndsItsWaitAndLeavesNoPlace() {
    try (Rig rig = Rig.obliging()) {
      rig.store.claims.always(request -> ScriptedStore.queued(request.claim()));
      Actor waits = rig.actor("waits");
      CompletableFuture<Boolean> wait =
          waits.begin(() -> rig.keeper.lock("n").tryLock(1, TimeUnit.HOURS));
      waits.awaitParked();
      rig.failing.set(waits.thread());
      while (!wait.isDone()) {
        LockSupport.unpark(waits.thread());
      }

      assertThat(Actor.end(wait)).isInstanceOf(NoClassDefFoundError.class);
      assertThat(rig.store.withdrawals.count()).isEqualTo(1);
    }
  }

  @Test
  void aThreadWaitsThoughNoLookForDeadlocksCanBePlanned() {
    try (Rig rig = Rig.obliging();
        LogCapture log = new LogCapture()) {
      rig.store.claims.always(request -> ScriptedStore.queued(request.claim()));
      Actor waits = rig.actor("waits");
      rig.scheduler.fail(fault);
      CompletableFuture<Void> wait = waits.begin(() -> rig.keeper.lock("n").lock());
      waits.awaitParked();
      rig.scheduler.fail(null);

      assertThat(wait).isNotDone();
      assertThat(log.failures()).contains(fault);
    }
  }

  @Test
  void anErrorWhileATermIsGivenBackLeavesNoLeaderThatDoesNotLead() {
    try (Rig rig = Rig.obliging();
        LogCapture log = new LogCapture()) {
      List<String> heard = new ArrayList<>();
      LeaderElection election = rig.keeper.leaderElection("e");
      election.start(
          new LeaderListener() {
            @Override
            public void elected(Term term) {
              heard.add("elected");
            }

            @Override
            public void lost(Term term) {
              heard.add("lost");
            }
          });
      rig.settle();
      rig.faults.put(Transition.HOLD_RELEASED, fault);
      election.resign();
      rig.pass(Duration.ofSeconds(2));

      assertThat(heard).containsExactly("elected", "lost", "elected");
      assertThat(log.failures()).containsOnlyOnce(fault);
    }
  }

  @Test
  void aCandidateGoesOnThoughItsNextAttemptCannotBePlanned() {
    try (Rig rig = Rig.obliging()) {
      List<String> heard = new ArrayList<>();
      rig.store.claims.always(
          request -> Outcome.refused(StoreProblem.OTHER, "refused, as the test wants"));
      LeaderElection election = rig.keeper.leaderElection("e");
      election.start(
          new LeaderListener() {
            @Override
            public void elected(Term term) {
              heard.add("elected");
            }

            @Override
            public void lost(Term term) {}

            @Override
            public void failed(LockkeeperException failure) {
              rig.store.oblige();
              rig.scheduler.fail(null);
            }
          });
      rig.scheduler.fail(fault);
      rig.settle();

      assertThat(heard).containsExactly("elected");
    }
  }

  @Test
  void anErrorOfAnUpdateReachesItsCaller() {
    try (Rig rig = Rig.obliging()) {
      rig.store.updates.always(
          update -> {
            throw fault;
          });
      CompletionStage<Long> added = rig.keeper.counter("c").addAndGetAsync(1);
      rig.pass(Duration.ofMinutes(1));

      assertThat(Actor.end(added.toCompletableFuture()))
          .isInstanceOf(StoreUnavailableException.class)
          .hasCause(fault);
    }
  }

  @Test
  void aListenerOfAValueThatThrowsHearsTheNextOne() {
    try (Rig rig = Rig.obliging();
        LogCapture log = new LogCapture()) {
      List<Boolean> heard = new ArrayList<>();
      rig.keeper
          .sharedValue("v")
          .onChange(
              value -> {
                heard.add(value.isPresent());
                if (heard.size() == 1) {
                  throw ThrowablesTest.<RuntimeException>sneaky(new IOException("made up"));
                }
              });
      rig.pass(Duration.ofSeconds(2));
      rig.store.reads.always(
          batch ->
              batch.stream()
                  .map(
                      read ->
                          Outcome.<CellState>answered(
                              new CellState.Present(7, 7, CellValue.of(1), 0)))
                  .toList());
      rig.pass(Duration.ofSeconds(2));

      assertThat(heard).containsExactly(false, true);
      assertThat(log.failures()).singleElement().isInstanceOf(IOException.class);
      assertThat(log.messages()).singleElement().asString().contains("'v'");
    }
  }

  // ------------------------------------------------------------- threads that wait for the store

  @Test
  void anInterruptedThreadThatAsksAStoreWhichFailsAtOnceWaitsBetweenItsAttempts() {
    ScriptedStore store = ScriptedStore.obliging();
    store.inspections.always(name -> ScriptedStore.<Inspection>silence());
    try (Lockkeeper keeper =
        Lockkeeper.builder().storeTimeout(Duration.ofSeconds(1)).connect(context -> store)) {
      Actor actor = new Actor("interrupted");
      CompletableFuture<Boolean> asked =
          actor.begin(
              () -> {
                Thread.currentThread().interrupt();
                try {
                  keeper.lock("n").isLocked();
                  throw new AssertionError("answered");
                } catch (StoreUnavailableException expected) {
                  return Thread.interrupted();
                }
              });

      assertThat(Actor.get(asked)).as("still interrupted").isTrue();
      assertThat(store.inspections.count()).isBetween(2, 100);
      actor.close();
    }
  }

  @Test
  void aStoreThatNeverAnswersIsWaitedForNoLongerThanThePatience() {
    ScriptedStore store = ScriptedStore.obliging();
    store.inspections.manual();
    try (Lockkeeper keeper =
        Lockkeeper.builder().storeTimeout(Duration.ofMillis(200)).connect(context -> store)) {
      Actor actor = new Actor("patient");
      CompletableFuture<Boolean> locked = actor.begin(() -> keeper.lock("n").isLocked());

      assertThat(Actor.end(locked)).isInstanceOf(StoreUnavailableException.class);
      actor.close();
    }
  }

  @Test
  void anErrorOfAnInspectionIsAnUnknownOutcome() {
    Once once = new Once();
    ScriptedStore store = ScriptedStore.obliging();
    store.inspections.always(
        name -> {
          once.fail();
          return Outcome.answered(new Inspection(null, List.of()));
        });
    try (Lockkeeper keeper = Lockkeeper.builder().connect(context -> store)) {
      assertThat(keeper.lock("n").isLocked()).isFalse();
    }
  }

  @Test
  void aMemberWhoseReleaseIsNotConfirmedKeepsNoOtherHeld() throws InterruptedException {
    List<String> released = new CopyOnWriteArrayList<>();
    ScriptedStore store = ScriptedStore.obliging();
    store.claims.always(
        request ->
            request.resource().name().equals("c")
                ? Outcome.answered(new ClaimAnswer.Busy())
                : ScriptedStore.granted(store.grant(request)));
    store.releases.always(
        request -> {
          released.add(request.resource().name());
          return request.resource().name().equals("b")
              ? ScriptedStore.silence()
              : ScriptedStore.released(request);
        });
    LockOptions confirmed = LockOptions.defaults().withConfirmedRelease(true);
    try (Lockkeeper keeper =
        Lockkeeper.builder().storeTimeout(Duration.ofMinutes(5)).connect(context -> store)) {
      DistributedLock first = keeper.lock("a", confirmed);
      MultiLock all =
          Lockkeeper.multiLock(first, keeper.lock("b", confirmed), keeper.lock("c", confirmed));
      Actor asks = new Actor("asks");

      assertThat(asks.call(() -> all.tryAcquire(Duration.ZERO))).isEmpty();
      assertThat(released).contains("a", "b");

      assertThat(asks.call(() -> all.tryLock())).isFalse();
      assertThat(asks.call(first::isHeldByCurrentThread)).isFalse();
      asks.close();
      store.oblige();
    }
  }

  @Test
  void theLossOfAMultiLockIsToldThoughTheReleaseOfAMemberIsNotConfirmed() {
    ScriptedStore store = ScriptedStore.obliging();
    store.renewals.always(
        batch ->
            batch.stream().map(each -> Outcome.answered(new RenewAnswer(false, false))).toList());
    store.releases.always(request -> ScriptedStore.silence());
    LockOptions confirmed = LockOptions.defaults().withConfirmedRelease(true);
    try (Lockkeeper keeper =
        Lockkeeper.builder().storeTimeout(Duration.ofMinutes(5)).connect(context -> store)) {
      MultiLock all =
          Lockkeeper.multiLock(keeper.lock("a", confirmed), keeper.lock("b", confirmed));
      MultiLease both = Actor.get(all.acquireAsync().toCompletableFuture());

      store.notifications.revoked(ResourceId.lock("a"));

      CompletionStage<LeaseLost> lost = both.lost();
      assertThat(Actor.get(lost.toCompletableFuture()).name()).isEqualTo("a");
      store.oblige();
    }
  }

  @Test
  void whatAThreadHasLockedOnceMoreIsNotReleasedWithItsMultiLock() {
    try (Rig rig = Rig.obliging()) {
      DistributedLock member = rig.keeper.lock("a");
      MultiLock all = Lockkeeper.multiLock(member, rig.keeper.lock("b"));
      all.lock();
      member.lock();

      CompletionStage<Void> released = all.heldLease().releaseAsync();

      rig.settle();
      assertThat(Actor.end(released.toCompletableFuture())).isNull();
      assertThat(member.getHoldCount()).isEqualTo(2);
      assertThat(rig.store.releases.count()).isEqualTo(1);
      member.unlock();
      member.unlock();
    }
  }

  @Test
  void anErrorOfOneReleaseKeepsNoOtherMemberHeld() {
    try (Rig rig = Rig.obliging();
        LogCapture log = new LogCapture()) {
      MultiLock all = Lockkeeper.multiLock(rig.keeper.lock("a"), rig.keeper.lock("b"));
      CompletionStage<MultiLease> asked = all.acquireAsync();
      rig.settle();
      MultiLease both = Actor.get(asked.toCompletableFuture());
      rig.faults.put(Transition.HOLD_RELEASED, fault);

      assertThatThrownBy(both::release).isSameAs(fault);

      rig.settle();
      assertThat(rig.store.releases.count()).isEqualTo(1);
      assertThat(log.failures()).isEmpty();
    }
  }

  @Test
  void anErrorOfOneReleaseThatIsToBeConfirmedKeepsNoOtherMemberHeld() {
    try (Rig rig = Rig.obliging()) {
      MultiLock all = Lockkeeper.multiLock(rig.keeper.lock("a"), rig.keeper.lock("b"));
      CompletionStage<MultiLease> asked = all.acquireAsync();
      rig.settle();
      MultiLease both = Actor.get(asked.toCompletableFuture());
      rig.faults.put(Transition.HOLD_RELEASED, fault);

      CompletionStage<Void> released = both.releaseAsync();

      rig.settle();
      assertThat(Actor.end(released.toCompletableFuture())).isSameAs(fault);
      assertThat(rig.store.releases.count()).isEqualTo(1);
    }
  }

  // ------------------------------------------------------------- grants that never arrive

  @Test
  void aGrantThatNobodyHasHeardOfForALeaseIsNotRenewed() {
    List<Runnable> tasks = new ArrayList<>();
    try (Rig rig = Rig.obliging(builder -> builder.executor(tasks::add))) {
      CompletionStage<Lease> request = rig.keeper.lock("n").acquireAsync();
      rig.pass(Rig.LEASE.multipliedBy(2));
      int renewals = rig.store.renewals.count();
      rig.pass(Rig.LEASE.multipliedBy(2));

      assertThat(rig.store.renewals.count()).isEqualTo(renewals);
      assertThat(rig.keeper.lock("n").tryLock()).as("free for others").isTrue();
      rig.keeper.lock("n").unlock();
      tasks.forEach(Runnable::run);
      assertThat(request.toCompletableFuture().join().isValid()).isFalse();
    }
  }

  @Test
  void aGrantThatIsHeardOfInTimeIsRenewedAsOthersAre() {
    List<Runnable> tasks = new ArrayList<>();
    try (Rig rig = Rig.obliging(builder -> builder.executor(tasks::add))) {
      CompletionStage<Lease> request = rig.keeper.lock("n").acquireAsync();
      rig.pass(Rig.LEASE.plusSeconds(5));
      List.copyOf(tasks).forEach(Runnable::run);
      Lease lease = request.toCompletableFuture().join();
      assertThat(lease.isValid()).isTrue();
      rig.pass(Rig.LEASE.multipliedBy(5));

      assertThat(lease.isValid()).isTrue();
    }
  }

  // ------------------------------------------------------------- doubts

  @Test
  void aDoubtOfTheClockHasEverythingRenewedAtOnce() {
    try (Rig rig = Rig.obliging();
        LogCapture log = new LogCapture()) {
      Lease lock = rig.got(rig.keeper.lock("n").acquireAsync());
      CompletionStage<PermitLease> asked = rig.keeper.semaphore("s", 2).acquireAsync(1);
      rig.settle();
      PermitLease permit = Actor.get(asked.toCompletableFuture());
      rig.pass(Duration.ofSeconds(1));
      int before = rig.store.renewals.count();
      rig.doubts = 1;
      assertThat(lock.isValid() && permit.isValid()).isTrue(); // somebody looks
      rig.pass(Duration.ofMillis(1));

      assertThat(rig.store.log).last().isEqualTo("renew 2");
      assertThat(rig.store.renewals.count()).isEqualTo(before + 1);
      rig.pass(Duration.ofSeconds(1));
      assertThat(rig.store.renewals.count()).as("once for each doubt").isEqualTo(before + 1);
      assertThat(log.messages()).hasSize(1);
    }
  }

  /** Throws anything, a checked exception that nobody has declared included. */
  @SuppressWarnings("unchecked")
  public static <E extends Throwable> AssertionError sneaky(Throwable failure) throws E {
    throw (E) failure;
  }
}
