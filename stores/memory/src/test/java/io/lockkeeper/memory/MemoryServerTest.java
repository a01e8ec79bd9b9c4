package io.lockkeeper.memory;

import static io.lockkeeper.memory.Fixture.claim;
import static io.lockkeeper.memory.Fixture.get;
import static io.lockkeeper.memory.Fixture.granted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.ClaimRequest;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.PollRequest;
import io.lockkeeper.spi.ReleaseRequest;
import io.lockkeeper.spi.RenewRequest;
import io.lockkeeper.spi.ResizeRequest;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.Share;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What tests and simulations can see and do, and what is left behind. */
class MemoryServerTest {

  private final Fixture fixture = new Fixture();
  private final MemoryServer server = fixture.server;
  private final MemoryStore a = fixture.open("a");
  private final MemoryStore b = fixture.open("b");

  @Test
  void namesThatComeAndGoLeaveNothing() {
    for (int i = 0; i < 1_000; i++) {
      Grant grant = granted(a, claim(ResourceId.lock("name-" + i), i));
      fixture.pass(1);
      get(
          a.release(
              new ReleaseRequest(
                  ResourceId.lock("name-" + i), grant.grant(), grant.lastToken(), null)));
    }

    assertThat(server.snapshot()).isEmpty();
    assertThat(server.isQuiet()).isTrue();
  }

  @Test
  void semaphoresThatComeAndGoLeaveNothingUnlessTheyWereResized() {
    ResourceId kept = new ResourceId(ResourceKind.SEMAPHORE, "kept");
    get(a.resize(resize(kept, 1, ResizeRequest.Kind.SET)));
    for (int i = 0; i < 1_000; i++) {
      ResourceId name = new ResourceId(ResourceKind.SEMAPHORE, "name-" + i);
      ClaimRequest request = new ClaimRequest(name, i, 30_000, 1, true, new Share(1, 3, false));
      Grant grant = granted(a, request);
      fixture.pass(1);
      get(a.release(new ReleaseRequest(name, grant.grant(), grant.lastToken(), null)));
    }

    assertThat(server.snapshot()).extracting(ResourceState::resource).containsExactly(kept);
    get(a.resize(resize(kept, 2, ResizeRequest.Kind.GIVE_UP)));
    fixture.pass(1);
    get(a.withdraw(kept, 3)); // any call of a client forgets
    assertThat(server.snapshot()).isEmpty();
  }

  private static ResizeRequest resize(ResourceId name, long number, ResizeRequest.Kind kind) {
    return new ResizeRequest(name, number, kind, 5, 3, 1);
  }

  @Test
  void namesWhoseTokensAreAheadOfTheClockAreForgottenLater() {
    for (int i = 0; i < 100; i++) {
      Grant grant = granted(a, claim(ResourceId.lock("name-" + i), i));
      get(
          a.release(
              new ReleaseRequest(
                  ResourceId.lock("name-" + i), grant.grant(), grant.lastToken(), null)));
    }
    assertThat(server.snapshot()).hasSize(100);
    fixture.pass(1);

    for (int i = 0; i < 100; i++) {
      a.poll(List.of(new PollRequest(ResourceId.lock("other"), 1)));
    }

    assertThat(server.snapshot()).isEmpty();
  }

  @Test
  void theSnapshotShowsHolderQueueAndTokens() {
    Grant grant = granted(a, claim(7, 3));
    get(b.claim(claim(8)));

    ResourceState state = server.snapshot().get(0);

    assertThat(state.namespace()).isEqualTo("ns");
    assertThat(state.resource()).isEqualTo(ResourceId.lock("r"));
    assertThat(state.holder())
        .isEqualTo(
            new ResourceState.HolderState(
                "a", 7, 1, List.of(7L), grant.firstToken(), grant.lastToken(), 30_000_000, true));
    assertThat(state.queue()).containsExactly(new ResourceState.WaitingState("b", 8, 2, true));
    assertThat(state.heartbeats()).isEqualTo(1);
    assertThat(state.lastToken()).isEqualTo(grant.lastToken());
    assertThat(server.isQuiet()).isFalse();
  }

  @Test
  void itIsQuietWhenAllThatIsLeftIsDead() {
    granted(a, claim(1));
    get(b.claim(claim(1)));
    fixture.pass(29_999);
    assertThat(server.isQuiet()).isFalse();

    fixture.pass(1);

    assertThat(server.isQuiet()).isTrue();
  }

  @Test
  void theJournalHasEveryGrantInOrder() {
    List<GrantRecord> journal = new ArrayList<>();
    server.onGrant(journal::add);
    Grant grant = granted(a, claim(1, 5));
    get(b.claim(claim(1)));
    get(b.claim(claim(2)));
    get(a.claim(claim(1, 5)));
    get(a.release(new ReleaseRequest(ResourceId.lock("r"), 1, grant.lastToken(), claim(9))));

    assertThat(journal)
        .containsExactly(
            new GrantRecord(
                "ns",
                ResourceId.lock("r"),
                "a",
                1,
                1,
                1,
                5,
                List.of(new GrantRecord.Admitted(1, 1)),
                1,
                false),
            new GrantRecord(
                "ns",
                ResourceId.lock("r"),
                "b",
                1,
                1,
                6,
                7,
                List.of(new GrantRecord.Admitted(1, 2), new GrantRecord.Admitted(2, 3)),
                1,
                true));
  }

  @Test
  void aFlushedServerKnowsNobody() {
    Grant grant = granted(a, claim(1));
    get(b.claim(claim(1)));
    fixture.pass(1);

    server.flush();

    assertThat(server.snapshot()).isEmpty();
    assertThat(a.renew(List.of(new RenewRequest(ResourceId.lock("r"), grant.grant(), 1_000))))
        .isCompletedWithValueMatching(
            answers ->
                !((Outcome.Answered<?>) answers.get(0)).answer().toString().contains("true,"));
    granted(b, claim(1));
  }

  @Test
  void anAbandonedClientIsCutOffAndWhatItHasDiesByTime() {
    granted(a, claim(1));
    get(b.claim(claim(1)));

    server.abandon("a");

    assertThat(server.clients()).containsExactly("b");
    assertThat(a.claim(claim(5)).toCompletableFuture().getNow(null))
        .isInstanceOf(Outcome.Unknown.class);
    fixture.pass(29_000);
    b.poll(List.of(new PollRequest(ResourceId.lock("r"), 1)));
    assertThat(fixture.notifications).isEmpty();
    fixture.pass(1_000);
    assertThat(b.poll(List.of(new PollRequest(ResourceId.lock("r"), 1))))
        .isCompletedWithValueMatching(answers -> answers.toString().contains("Granted"));
  }

  @Test
  void anUnreachableServerAnswersNobodyAndTellsWhenItIsBack() {
    granted(a, claim(1));

    server.setReachable(false);

    assertThat(a.inspect(ResourceId.lock("r")).toCompletableFuture().getNow(null))
        .isInstanceOf(Outcome.Unknown.class);
    assertThatThrownBy(() -> fixture.openDeaf("c")).isInstanceOf(StoreUnavailableException.class);
    server.setReachable(true);
    assertThat(fixture.notifications).containsExactlyInAnyOrder("a reconnected", "b reconnected");
    assertThat(get(a.inspect(ResourceId.lock("r"))).holder()).isNotNull();
  }

  @Test
  void aClosedClientIsGoneButItsGrantIsNot() {
    granted(a, claim(1));

    a.close();
    a.close();

    assertThat(server.clients()).containsExactly("b");
    assertThat(get(b.inspect(ResourceId.lock("r"))).holder()).isNotNull();
  }

  @Test
  void aClientIdIsUsedOnce() {
    assertThatIllegalStateException().isThrownBy(() -> fixture.open("a"));
  }
}
