package io.lockkeeper.memory;

import static io.lockkeeper.memory.Fixture.claim;
import static io.lockkeeper.memory.Fixture.get;
import static io.lockkeeper.memory.Fixture.granted;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.spi.ForceRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResourceId;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each notification exactly: who gets it, and who finds the same news in an answer. */
class MemoryNotificationsTest {

  private final Fixture fixture = new Fixture();
  private final MemoryStore a = fixture.open("a");
  private final MemoryStore b = fixture.open("b");
  private final MemoryStore c = fixture.open("c");

  @Test
  void aReleaseTellsTheNextClientOnce() {
    Grant grant = granted(a, claim(1));
    get(b.claim(claim(1)));
    get(c.claim(claim(1)));

    release(grant);

    assertThat(fixture.notifications).containsExactly("b granted r [1]");
  }

  @Test
  void aReleaserFindsItsOwnNextGrantInTheAnswerAlone() {
    Grant grant = granted(a, claim(1));
    get(a.claim(claim(2)));

    assertThat(release(grant)).isTrue();

    assertThat(fixture.notifications).isEmpty();
  }

  @Test
  void aLookerFindsItsGrantInTheAnswerAlone() {
    granted(a, claim(1));
    get(b.claim(claim(1)));
    keepAlive(b);

    b.poll(List.of(new PollRequest(ResourceId.lock("r"), 1)));

    assertThat(fixture.notifications).isEmpty();
  }

  @Test
  void aClaimThatLetsAnEarlierOneOfItsClientInTellsByANotification() {
    granted(a, claim(1));
    get(b.claim(claim(1)));
    keepAlive(b);

    get(b.claim(claim(2)));

    assertThat(fixture.notifications).containsExactly("b granted r [1]");
  }

  @Test
  void aWithdrawalOrARenewalThatLetsItsClientInTellsByANotification() {
    granted(a, claim(1));
    get(b.claim(claim(1)));
    keepAlive(b);
    get(b.withdraw(ResourceId.lock("r"), 99));
    assertThat(fixture.notifications).containsExactly("b granted r [1]");
    fixture.notifications.clear();
    get(a.claim(claim(2)));
    fixture.pass(1_000);

    a.renew(List.of(new RenewRequest(ResourceId.lock("r"), 1, 1_000)));

    assertThat(fixture.notifications).containsExactly("a granted r [2]");
  }

  @Test
  void aForcedReleaseTellsTheHolderAndTheNext() {
    granted(a, claim(1));
    get(b.claim(claim(1)));

    get(a.forceRelease(new ForceRequest(ResourceId.lock("r"), Long.MAX_VALUE)));

    assertThat(fixture.notifications).containsExactly("a revoked r", "b granted r [1]");
  }

  @Test
  void aHolderIsToldThatItIsContendedByTheFirstOtherClientOnly() {
    granted(a, claim(1, 65));

    get(a.claim(claim(2)));
    get(b.claim(claim(1)));
    get(b.claim(claim(2)));
    get(c.claim(claim(1)));

    assertThat(fixture.notifications).containsExactly("a contended r");
  }

  @Test
  void onlyTheFirstWaitersLookTellsTheHolderAgain() {
    granted(a, claim(1, 65));
    get(b.claim(claim(1)));
    get(c.claim(claim(1)));
    fixture.notifications.clear();

    c.poll(List.of(new PollRequest(ResourceId.lock("r"), 1)));
    assertThat(fixture.notifications).isEmpty();

    b.poll(List.of(new PollRequest(ResourceId.lock("r"), 1)));
    assertThat(fixture.notifications).containsExactly("a contended r");
  }

  @Test
  void aRunThatHasLostAClaimHasNoMoreTokensToSpareThanBefore() {
    Grant grant = granted(a, claim(1));
    get(b.claim(claim(1)));
    get(b.claim(claim(2)));
    release(grant);
    get(b.withdraw(ResourceId.lock("r"), 1));
    fixture.notifications.clear();

    get(c.claim(claim(1)));

    assertThat(fixture.notifications).isEmpty();
  }

  @Test
  void droppedNotificationsAreNotDelivered() {
    fixture.server.dropNotifications(notification -> notification.clientId().equals("b"));
    Grant grant = granted(a, claim(1));
    get(b.claim(claim(1)));

    release(grant);

    assertThat(fixture.notifications).isEmpty();
    fixture.server.dropNotifications(false);
    fixture.server.reconnect();
    assertThat(fixture.notifications)
        .containsExactlyInAnyOrder("a reconnected", "b reconnected", "c reconnected");
  }

  @Test
  void aNotificationMayCallTheServerBack() {
    MemoryStore eager = fixture.openDeaf("eager");
    boolean[] renewed = new boolean[1];
    eager.listen(
        new io.lockkeeper.spi.NotificationListener() {
          @Override
          public void granted(ResourceId resource, Grant grant) {
            renewed[0] =
                eager
                    .renew(List.of(new RenewRequest(resource, grant.grant(), 30_000)))
                    .toCompletableFuture()
                    .isDone();
          }

          @Override
          public void contended(ResourceId resource) {}

          @Override
          public void revoked(ResourceId resource) {}

          @Override
          public void cellChanged(io.lockkeeper.spi.CellId cell) {}

          @Override
          public void reconnected() {}
        });
    Grant grant = granted(a, claim(1));
    get(eager.claim(claim(1)));

    release(grant);

    assertThat(renewed[0]).isTrue();
    assertThat(fixture.server.snapshot().get(0).holder().confirmed()).isTrue();
  }

  /** Lets a's lease of 30 seconds pass while the given client keeps looking. */
  private void keepAlive(MemoryStore client) {
    for (int i = 0; i < 10; i++) {
      client.poll(List.of(new PollRequest(ResourceId.lock("r"), 1)));
      fixture.pass(3_000);
    }
  }

  private boolean release(Grant grant) {
    return get(a.release(
            new ReleaseRequest(ResourceId.lock("r"), grant.grant(), grant.lastToken(), null)))
        .released();
  }
}
