package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.Leader;
import io.lockkeeper.LeaderElection;
import io.lockkeeper.LeaderListener;
import io.lockkeeper.LeaderOptions;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperBuilder;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.LockkeeperException;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.Term;
import io.lockkeeper.spi.Inspection;
import io.lockkeeper.spi.ResourceId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Chapter "Leaders".
 *
 * <p>This file is long because a chapter has all tests of its promises.
 */
public abstract class LeaderTck extends TckBase {

  private static final int CANDIDATES = 4;

  /** A candidate that notes what it hears. */
  private final class Candidate implements LeaderListener {

    final Lockkeeper keeper;
    final LeaderElection election;
    final List<String> heard = new CopyOnWriteArrayList<>();
    final Queue<Term> terms = new ConcurrentLinkedQueue<>();
    final Queue<LockkeeperException> failures = new ConcurrentLinkedQueue<>();

    Candidate(Lockkeeper keeper) {
      this.keeper = keeper;
      this.election = keeper.leaderElection(NAME);
    }

    Candidate started() {
      election.start(this);
      return this;
    }

    @Override
    public void elected(Term term) {
      terms.add(term);
      heard.add("elected");
    }

    @Override
    public void lost(Term term) {
      heard.add("lost");
    }

    @Override
    public void failed(LockkeeperException failure) {
      failures.add(failure);
    }

    void awaitElected() {
      eventually().until(election::isLeader);
      eventually().until(() -> heard.size() % 2 == 1);
    }

    /** Stands and returns once it is in the line. */
    void stand(int place) {
      started();
      awaitWaiting(RESOURCE, place);
    }
  }

  private static final ResourceId RESOURCE = new ResourceId(ResourceKind.LEADER_ELECTION, NAME);

  private Candidate candidate() {
    return new Candidate(client());
  }

  private Candidate candidate(Faults faults, UnaryOperator<LockkeeperBuilder> how) {
    return new Candidate(client(faults, how));
  }

  private static Candidate leaderOf(List<Candidate> candidates) {
    List<Candidate> leaders =
        candidates.stream().filter(candidate -> candidate.election.isLeader()).toList();
    assertThat(leaders).hasSizeLessThanOrEqualTo(1);
    return leaders.isEmpty() ? candidates.get(0) : leaders.get(0);
  }

  @Test
  @Promise("LE1")
  void workIsDoneWhileItsThreadLeads() throws Exception {
    Candidate first = candidate().started();
    first.awaitElected();
    LeaderElection second = client().leaderElection(NAME);
    Worker thread = worker();
    Future<Long> token =
        thread.start(
            () -> {
              AtomicLong seen = new AtomicLong();
              second.runWhileLeader(
                  term -> {
                    assertThat(term.isValid()).isTrue();
                    assertThat(second.isLeader()).isTrue();
                    seen.set(term.token());
                  });
              return seen.get();
            });
    awaitWaiting(RESOURCE, 1);
    first.election.close();

    assertThat(Worker.get(token)).isGreaterThan(Objects.requireNonNull(first.terms.peek()).token());
    assertThat(second.isLeader()).isFalse();
    awaitFree(RESOURCE);
  }

  @Test
  @Promise("LE1")
  void workIsInterruptedWhenItsTermIsLost() throws Exception {
    LeaderElection election = client().leaderElection(NAME);
    Lockkeeper operator = client();
    CountDownLatch begun = new CountDownLatch(1);
    Worker thread = worker();
    Future<Boolean> done =
        thread.start(
            () -> {
              assertThatThrownBy(
                      () ->
                          election.runWhileLeader(
                              term -> {
                                begun.countDown();
                                try {
                                  Thread.sleep(Delays.patience().toMillis());
                                } catch (InterruptedException over) {
                                  return; // the leader's work ends
                                }
                              }))
                  .isInstanceOf(LeaseLostException.class)
                  .hasMessageContaining(NAME);
              return Thread.interrupted();
            });
    begun.await();
    operator
        .admin()
        .inspect(ResourceKind.LEADER_ELECTION, NAME)
        .holders()
        .forEach(operator.admin()::forceRelease);

    assertThat(Worker.get(done)).as("interrupted after its work").isFalse();
  }

  @Test
  @Promise("LE6")
  void aWaitToLeadEndsWhenTheElectionIsClosed() throws Exception {
    Candidate first = candidate().started();
    first.awaitElected();
    LeaderElection second = client().leaderElection(NAME);
    Worker thread = worker();
    Future<Boolean> done =
        thread.start(
            () -> {
              assertThatThrownBy(() -> second.runWhileLeader(term -> {}))
                  .isInstanceOf(LockkeeperClosedException.class);
              return true;
            });
    awaitWaiting(RESOURCE, 1);
    second.close();

    assertThat(Worker.get(done)).isTrue();
  }

  @Test
  @Promise({"LE1", "LE2"})
  void oneLeadsAndTheNextIsElectedWhenItCloses() {
    Candidate first = candidate().started();
    first.awaitElected();
    Candidate second = candidate();
    second.stand(1);
    assertThat(second.election.isLeader()).isFalse();
    assertThat(second.election.term()).isEmpty();
    Term term = first.election.term().orElseThrow();
    assertThat(term.isValid()).isTrue();
    assertThat(term.remaining()).isPositive();
    assertThat(term.election()).isEqualTo(NAME);

    first.election.close();

    assertThat(first.election.isLeader()).isFalse();
    assertThat(term.isValid()).isFalse();
    second.awaitElected();
    assertThat(second.election.term().orElseThrow().token()).isGreaterThan(term.token());
    eventually().untilAsserted(() -> assertThat(first.heard).containsExactly("elected", "lost"));
    first.election.close();
    assertThatThrownBy(() -> first.election.start(first)).isInstanceOf(IllegalStateException.class);
    second.election.close();
    awaitFree(RESOURCE);
  }

  @Test
  @Promise({"LE1", "LE3"})
  void allCandidatesTakeTurnsWhenLeadersResign() {
    List<Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < CANDIDATES; i++) {
      Candidate next = candidate();
      candidates.add(next);
      if (i == 0) {
        next.started().awaitElected();
      } else {
        next.stand(i);
      }
    }

    List<Candidate> order = new ArrayList<>();
    for (int round = 0; round < 3 * CANDIDATES; round++) {
      eventually().until(() -> leaderOf(candidates).election.isLeader());
      Candidate leader = leaderOf(candidates);
      order.add(leader);
      long token = leader.election.term().orElseThrow().token();
      leader.election.resign();
      awaitBehindOthers(token);
    }

    for (int i = 0; i < order.size(); i++) {
      assertThat(order.get(i)).isSameAs(candidates.get(i % CANDIDATES));
    }
    candidates.forEach(candidate -> candidate.election.close());
  }

  /**
   * Returns once the leader of a term waits again, behind all others. That as many wait is not
   * enough: so many do as long as its resignation has not reached the store.
   */
  private void awaitBehindOthers(long token) {
    eventually()
        .until(
            () -> {
              Inspection seen = inspect(RESOURCE);
              return seen.waiting() == CANDIDATES - 1
                  && seen.holders().stream().noneMatch(holder -> holder.token() == token);
            });
  }

  @Test
  @Promise({"LE1", "LE2"})
  void noTwoTermsAreValidAtOnceAndTheirTokensGrow() {
    List<Candidate> candidates = new ArrayList<>();
    Lockkeeper shared = client();
    for (int i = 0; i < CANDIDATES; i++) {
      candidates.add(new Candidate(i % 2 == 0 ? shared : client()).started());
    }
    long last = 0;
    for (int round = 0; round < Rounds.of(50); round++) {
      eventually().until(() -> leaderOf(candidates).election.isLeader());
      Candidate leader = leaderOf(candidates);
      long token = leader.election.term().orElseThrow().token();
      assertThat(token).isGreaterThan(last);
      last = token;
      leader.election.resign();
    }
    candidates.forEach(candidate -> candidate.election.close());

    for (Candidate candidate : candidates) {
      eventually().until(() -> candidate.heard.size() % 2 == 0);
      for (int i = 0; i < candidate.heard.size(); i++) {
        assertThat(candidate.heard.get(i)).isEqualTo(i % 2 == 0 ? "elected" : "lost");
      }
      assertThat(candidate.terms).noneMatch(Term::isValid);
    }
  }

  @Test
  @Promise("LE4")
  void aLeaderThatIsCutOffKnowsItBeforeTheNextIsElectedAndStandsAgain() {
    Faults faults = faults();
    Candidate first = candidate(faults, builder -> builder.lease(KEPT)).started();
    first.awaitElected();
    Term term = first.election.term().orElseThrow();
    Candidate second = candidate();
    second.stand(1);

    faults.silence();

    eventually().until(() -> second.election.isLeader());
    assertThat(term.isValid()).isFalse();
    assertThat(first.election.isLeader()).isFalse();
    eventually().untilAsserted(() -> assertThat(first.heard).containsExactly("elected", "lost"));
    faults.heal();
    awaitWaiting(RESOURCE, 1); // it stands again
    second.election.close();
    first.awaitElected();
    first.election.close();
  }

  @Test
  @Promise("LE4")
  void aCrashedLeaderIsFollowedWhenItsLeaseHasEnded() {
    Faults faults = faults();
    Lockkeeper doomed = client(faults);
    LeaderElection crashed =
        doomed.leaderElection(NAME, LeaderOptions.defaults().withLease(Delays.millis(500)));
    CompletableFuture<Term> elected = new CompletableFuture<>();
    crashed.start(new Once(elected));
    Worker.get(elected);
    Candidate next = candidate();
    next.stand(1);

    faults.kill();

    next.awaitElected();
    assertThat(crashed.isLeader()).isFalse();
    next.election.close();
    crashed.close();
  }

  @Test
  @ResourceLock(TckBase.MEMORY)
  @Promise("LE4")
  void aLeaderThatTheStoreForgotStandsAgain() {
    Candidate first = candidate(faults(), builder -> builder.lease(KEPT)).started();
    first.awaitElected();
    Candidate second = candidate();
    second.stand(1);

    loseEverything();

    eventually().until(() -> first.heard.contains("lost"));
    List<Candidate> both = List.of(first, second); // the first may be faster again
    eventually().until(() -> leaderOf(both).election.isLeader());
    awaitWaiting(RESOURCE, 1);
    leaderOf(both).election.close();
    eventually().until(() -> leaderOf(both).election.isLeader());
    leaderOf(both).election.close();
    awaitFree(RESOURCE);
    eventually().until(() -> first.heard.size() % 2 == 0 && second.heard.size() % 2 == 0);
  }

  /** Listens for its first election only. */
  private record Once(CompletableFuture<Term> elected) implements LeaderListener {

    @Override
    public void elected(Term term) {
      elected.complete(term);
    }

    @Override
    public void lost(Term term) {}
  }

  @Test
  @Promise("LE5")
  void theLeaderIsKnownToCandidatesAndObservers() {
    LeaderElection observer = client().leaderElection(NAME);
    assertThat(observer.leader()).isEmpty();
    Candidate first = candidate().started();
    first.awaitElected();
    Candidate second = candidate();
    second.stand(1);

    Leader seen = observer.leader().orElseThrow();
    assertThat(seen.clientId()).isEqualTo(first.keeper.clientId());
    assertThat(seen.token()).isEqualTo(first.election.term().orElseThrow().token());
    assertThat(second.election.leader()).map(Leader::clientId).hasValue(seen.clientId());
    assertThat(seen.clientName()).isEqualTo(first.keeper.clientName());
    assertThat(second.election.leader().orElseThrow().clientName()).isEqualTo(seen.clientName());

    first.election.close();
    second.awaitElected();
    assertThat(observer.leader()).map(Leader::clientId).hasValue(second.keeper.clientId());
    second.election.close();
    eventually().until(() -> observer.leader().isEmpty());
    observer.close();
  }

  @Test
  @Promise("LE6")
  void aCandidateOutlastsAStoreThatCannotBeReached() {
    Faults faults = faults();
    Candidate candidate = candidate(faults, builder -> builder.storeTimeout(Delays.millis(200)));
    faults.refuse();
    candidate.started();

    eventually().until(() -> candidate.failures.size() >= 2);
    assertThat(candidate.failures).allMatch(StoreUnavailableException.class::isInstance);
    assertThat(candidate.election.isLeader()).isFalse();
    faults.heal();

    candidate.awaitElected();
    candidate.election.close();
  }

  @Test
  @Promise("LE3")
  void aCandidateThatResignsWheneverItIsElectedDoesNotKeepTheStoreBusy() {
    long begin = System.nanoTime();
    LeaderElection election = client().leaderElection(NAME);
    AtomicInteger terms = new AtomicInteger();
    election.start(
        new LeaderListener() {
          @Override
          public void elected(Term term) {
            terms.incrementAndGet();
            election.resign();
          }

          @Override
          public void lost(Term term) {}
        });

    eventually().until(() -> terms.get() >= 4);

    int seen = terms.get();
    Duration taken = Duration.ofNanos(System.nanoTime() - begin);
    assertThat(seen).isLessThanOrEqualTo((int) (taken.toMillis() / 100) + 1);
    election.close();
  }

  @Test
  @Promise({"LE2", "LE6"})
  void aListenerThatThrowsDoesNoHarm() {
    LeaderElection bad = client().leaderElection(NAME);
    List<String> heard = new CopyOnWriteArrayList<>();
    bad.start(
        new LeaderListener() {
          @Override
          public void elected(Term term) {
            heard.add("elected");
            throw new AssertionError("by the test's wish");
          }

          @Override
          public void lost(Term term) {
            heard.add("lost");
            throw new IllegalStateException("by the test's wish");
          }
        });
    eventually().until(() -> heard.size() == 1);
    bad.resign();
    eventually().until(() -> heard.size() == 3);
    assertThat(bad.isLeader()).isTrue();
    bad.close();

    eventually()
        .untilAsserted(
            () -> assertThat(heard).containsExactly("elected", "lost", "elected", "lost"));
  }

  @Test
  @Promise({"LE2", "LE6"})
  void closingTheClientEndsItAll() {
    Candidate first = candidate().started();
    first.awaitElected();
    Candidate second = candidate();
    second.stand(1);

    first.keeper.close();

    second.awaitElected();
    assertThat(first.election.isLeader()).isFalse();
    eventually().untilAsserted(() -> assertThat(first.heard).containsExactly("elected", "lost"));
    second.keeper.close();
    LeaderElection late = second.keeper.leaderElection(NAME);
    assertThatThrownBy(() -> late.start(second)).isInstanceOf(LockkeeperClosedException.class);
    assertThatThrownBy(late::leader).isInstanceOf(LockkeeperClosedException.class);
  }

  @Test
  @Promise("LE6")
  void aCandidateThatClosesWhileItStandsLeavesTheLine() {
    Candidate first = candidate().started();
    first.awaitElected();
    Candidate second = candidate();
    second.stand(1);

    second.election.close();

    awaitWaiting(RESOURCE, 0);
    first.election.close();
    awaitFree(RESOURCE);
    assertThat(second.heard).isEmpty();
  }

  @Test
  @Promise("LE7")
  void electionsHaveNamesOfTheirOwn() {
    Lockkeeper keeper = client();
    DistributedLock lock = keeper.lock(NAME);
    lock.lock();
    Candidate candidate = new Candidate(keeper).started();
    LeaderElection other = keeper.leaderElection("another");
    other.start(candidate);

    eventually().until(() -> candidate.election.isLeader() && other.isLeader());

    lock.unlock();
    other.close();
    candidate.election.close();
    assertThatThrownBy(() -> keeper.leaderElection(""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> keeper.leaderElection("a\u001eleader"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> LeaderOptions.defaults().withLease(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
