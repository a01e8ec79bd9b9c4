package io.lockkeeper.engine.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.Lease;
import io.lockkeeper.LockEvent;
import io.lockkeeper.engine.Rig;
import io.lockkeeper.engine.ScriptedStore;
import io.lockkeeper.engine.coordination.ResourceCoordinators;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.ResourceId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** How a queued request gets its turn, whatever gets lost on the way. */
class WaitingTest {

  private static List<Outcome<PollAnswer>> poll(PollAnswer answer) {
    return List.of(Outcome.answered(answer));
  }

  /** A request that waits in the store's queue. */
  private static CompletionStage<Lease> queued(Rig rig) {
    CompletionStage<Lease> request = rig.keeper.fairLock("a").acquireAsync();
    rig.store.claims.next().reply(ScriptedStore.queued(1));
    return request;
  }

  private static Grant grant(Rig rig, long claim) {
    return rig.store.grant(new ClaimRequest(ResourceId.lock("a"), claim, 30_000, 1, true));
  }

  @Test
  void aPushedGrantEndsTheWait() {
    try (Rig rig = Rig.silent()) {
      CompletionStage<Lease> request = queued(rig);
      rig.store.notifications.granted(ResourceId.lock("a"), grant(rig, 1));

      assertThat(rig.got(request).isValid()).isTrue();
    }
  }

  @Test
  void aWaitingClientLooksOnceASecond() {
    try (Rig rig = Rig.silent()) {
      queued(rig);
      rig.store.polls.always(batch -> poll(new Queued(0, 60_000_000, 1)));
      rig.pass(Duration.ofMinutes(1));

      assertThat(rig.store.polls.count()).isBetween(48, 80); // a second, give or take a quarter
    }
  }

  @Test
  void aClientLooksOnceForAllItsClaimsOnOneResource() {
    try (Rig rig = Rig.silent()) {
      for (int i = 0; i < 5; i++) {
        rig.keeper.fairLock("a").acquireAsync();
        rig.store.claims.next().reply(ScriptedStore.queued(10 - i));
      }
      rig.pass(Duration.ofSeconds(2));

      assertThat(rig.store.polls.next().request)
          .as("the one that came first")
          .containsExactly(new PollRequest(ResourceId.lock("a"), 5));
    }
  }

  @Test
  void aLookFindsAGrantWhoseMessageWasLost() {
    try (Rig rig = Rig.silent()) {
      CompletionStage<Lease> request = queued(rig);
      rig.pass(Duration.ofMillis(1_300));
      rig.store.polls.next().reply(poll(new PollAnswer.Granted(grant(rig, 1))));

      assertThat(rig.got(request).isValid()).isTrue();
    }
  }

  @Test
  void aLookComesSoonAfterTheHoldersLeaseMustHaveEnded() {
    try (Rig rig = Rig.silent()) {
      rig.keeper.fairLock("a").acquireAsync();
      rig.store.claims.next().reply(Outcome.answered(new Queued(0, 200_000, 1)));
      rig.pass(Duration.ofMillis(209));
      assertThat(rig.store.polls.waiting()).isZero();
      rig.pass(Duration.ofMillis(2));

      assertThat(rig.store.polls.waiting()).isEqualTo(1);
    }
  }

  @Test
  void aClaimTheStoreHasForgottenIsSentAgainWithItsNumber() {
    try (Rig rig = Rig.silent()) {
      CompletionStage<Lease> request = queued(rig);
      rig.pass(Duration.ofMillis(1_300));
      rig.store.polls.next().reply(poll(new PollAnswer.Gone()));
      rig.pass(Duration.ofMillis(1));
      var again = rig.store.claims.next();
      again.reply(ScriptedStore.granted(grant(rig, 1)));

      assertThat(again.request.claim()).isEqualTo(1);
      assertThat(rig.got(request).isValid()).isTrue();
    }
  }

  @Test
  void aLookThatFailsIsTriedAgain() {
    try (Rig rig = Rig.silent()) {
      CompletionStage<Lease> request = queued(rig);
      rig.store.polls.always(ScriptedStore::silence);
      rig.pass(Duration.ofSeconds(5));
      assertThat(rig.isWaiting(request)).isTrue();
      rig.store.polls.always(batch -> poll(new PollAnswer.Granted(grant(rig, 1))));
      rig.pass(Duration.ofSeconds(1));

      assertThat(rig.got(request).isValid()).isTrue();
    }
  }

  @Test
  void afterAReconnectTheClientLooksAtOnce() {
    try (Rig rig = Rig.silent()) {
      queued(rig);
      rig.store.notifications.reconnected();
      rig.pass(Duration.ofMillis(1));

      assertThat(rig.store.polls.waiting()).isEqualTo(1);
    }
  }

  @Test
  void afterAReconnectAHolderRenewsAtOnce() {
    try (Rig rig = Rig.obliging()) {
      rig.got(rig.keeper.lock("a").acquireAsync());
      rig.store.notifications.reconnected();
      rig.pass(Duration.ofMillis(1));

      assertThat(rig.store.renewals.count()).isEqualTo(1);
    }
  }

  @Test
  void afterAReconnectWhatFailedIsSentAgainAtOnce() {
    try (Rig rig = Rig.silent()) {
      rig.keeper.lock("a").acquireAsync();
      for (int i = 0; i < 6; i++) {
        rig.store.claims.next().reply(ScriptedStore.silence());
        rig.pass(Duration.ofSeconds(2));
      }
      rig.store.claims.next().reply(ScriptedStore.silence());
      rig.store.notifications.reconnected();
      rig.pass(Duration.ofMillis(1));

      assertThat(rig.store.claims.waiting()).isEqualTo(1);
    }
  }

  @Test
  void theNextGrantMayComeWithTheAnswerToARelease() {
    try (Rig rig = Rig.silent()) {
      CompletionStage<Lease> first = rig.keeper.fairLock("a").acquireAsync();
      rig.store.claims.next().reply(ScriptedStore.granted(grant(rig, 1)));
      CompletionStage<Lease> second = rig.keeper.fairLock("a").acquireAsync();
      rig.store.claims.next().reply(ScriptedStore.queued(2));
      rig.got(first).release();
      rig.store.releases.next().reply(answer(grant(rig, 2)));

      assertThat(rig.got(second).isValid()).isTrue();
    }
  }

  private static Outcome<ReleaseAnswer> answer(Grant next) {
    return Outcome.answered(new ReleaseAnswer(true, next, null));
  }

  @Test
  void aGrantThatNobodyHereKnowsIsGivenBack() {
    try (Rig rig = Rig.silent()) {
      queued(rig);
      rig.pass(Duration.ofMillis(1_300));
      rig.store.polls.next().reply(poll(new PollAnswer.Granted(grant(rig, 99))));

      assertThat(rig.store.log).endsWith("release 99");
    }
  }

  @Test
  void aNotificationAboutALockNobodyHereUsesIsIgnored() {
    try (Rig rig = Rig.silent()) {
      rig.store.notifications.granted(ResourceId.lock("b"), grant(rig, 1));
      rig.store.notifications.contended(ResourceId.lock("b"));
      rig.store.notifications.revoked(ResourceId.lock("b"));

      assertThat(rig.store.log).isEmpty();
    }
  }

  @Test
  void aRequestThatHasToWaitIsReportedOnce() {
    try (Rig rig = Rig.silent()) {
      queued(rig);
      rig.store.polls.always(batch -> poll(new Queued(0, 60_000_000, 1)));
      rig.pass(Duration.ofSeconds(5));

      assertThat(rig.events(LockEvent.Waited.class)).hasSize(1);
    }
  }

  @Test
  void aCoordinatorThatNobodyUsesIsForgotten() {
    try (Rig rig = Rig.obliging()) {
      rig.got(rig.keeper.lock("a").acquireAsync()).release();
      ResourceCoordinators resources = ((LockkeeperClient) rig.keeper).core().resources();
      assertThat(resources.existing(ResourceId.lock("a"))).isNotNull();
      rig.pass(Duration.ofSeconds(2));

      assertThat(resources.existing(ResourceId.lock("a"))).isNull();
      assertThat(rig.scheduler.pending()).isZero();
    }
  }

  @Test
  void aCoordinatorThatWasForgottenIsMadeAnew() {
    try (Rig rig = Rig.obliging()) {
      var lock = rig.keeper.lock("a");
      for (int i = 0; i < 3; i++) {
        rig.got(lock.acquireAsync()).release();
        rig.pass(Duration.ofSeconds(2));
      }

      assertThat(rig.store.claims.count()).isEqualTo(3);
    }
  }
}
