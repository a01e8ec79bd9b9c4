package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DistributedBarrier;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.ResourceId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Chapter "Barriers". */
public abstract class BarrierTck extends TckBase {

  private static final ResourceId RESOURCE = new ResourceId(ResourceKind.BARRIER, NAME);

  private DistributedBarrier barrier(int parties) {
    return client().barrier(NAME, parties);
  }

  // ------------------------------------------------------------- together

  @Test
  @Promise({"B1", "B2"})
  void eightMembersEnterAndLeaveTogether() {
    int rounds = 2 * Rounds.of(200); // entering and leaving
    List<DistributedBarrier> barriers = List.of(barrier(8), barrier(8), barrier(8), barrier(8));
    AtomicIntegerArray entered = new AtomicIntegerArray(rounds + 1);
    together(
        8,
        i -> {
          DistributedBarrier barrier = barriers.get(i % 4);
          for (int round = 0; round < rounds; round++) {
            entered.incrementAndGet(round);
            barrier.await();
            assertThat(entered.get(round)).as("members that came in round " + round).isEqualTo(8);
          }
        });
    assertThat(IntStream.range(0, rounds).map(entered::get)).containsOnly(8);
  }

  @Test
  @Promise("B1")
  void nobodyPassesBeforeAllHaveCome() throws InterruptedException {
    DistributedBarrier barrier = barrier(3);
    CompletableFuture<Void> first = barrier.awaitAsync().toCompletableFuture();
    CompletableFuture<Void> second = barrier(3).awaitAsync().toCompletableFuture();
    awaitWaiting(RESOURCE, 2);
    assertThat(barrier.waiting()).isEqualTo(2);
    pass(Delays.millis(50));
    assertThat(first).isNotDone();
    assertThat(second).isNotDone();

    barrier(3).await();

    Worker.get(first.thenApply(nothing -> true));
    Worker.get(second.thenApply(nothing -> true));
    assertThat(barrier.waiting()).isZero();
  }

  @Test
  @Promise("B1")
  void whoIsAloneDoesNotWait() throws InterruptedException {
    DistributedBarrier barrier = barrier(1);
    barrier.await();
    barrier.await(Duration.ZERO);
    Worker.outcome(barrier.awaitAsync().thenApply(nothing -> true));
    assertThat(barrier.parties()).isEqualTo(1);
    assertThatThrownBy(() -> client().barrier(NAME, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @Promise("B2")
  void oneMoreThanTheyAreBelongsToTheNextGroup() {
    DistributedBarrier barrier = barrier(3);
    List<CompletableFuture<Void>> members = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      members.add(barrier.awaitAsync().toCompletableFuture());
    }
    eventually().until(() -> members.stream().filter(CompletableFuture::isDone).count() == 3);
    awaitWaiting(RESOURCE, 1);
    members.add(barrier.awaitAsync().toCompletableFuture());
    members.add(barrier.awaitAsync().toCompletableFuture());
    members.forEach(member -> Worker.get(member.thenApply(nothing -> true)));
  }

  // ------------------------------------------------------------- who does not count

  @Test
  @Promise("B3")
  void whoGaveUpDoesNotCount() {
    DistributedBarrier barrier = barrier(3);
    assertThatThrownBy(() -> barrier.await(Duration.ZERO))
        .isInstanceOf(AcquireTimeoutException.class);
    assertThatThrownBy(() -> barrier.await(Delays.millis(30)))
        .isInstanceOf(AcquireTimeoutException.class);
    assertThatThrownBy(() -> Worker.outcome(barrier.awaitAsync(Delays.millis(30))))
        .isInstanceOf(AcquireTimeoutException.class);
    Worker interrupted = worker();
    Future<Boolean> one = interrupted.begin(barrier::await);
    awaitWaiting(RESOURCE, 1);
    interrupted.interrupt();
    assertThatThrownBy(() -> Worker.get(one)).isInstanceOf(InterruptedException.class);
    CompletableFuture<Void> cancelled = barrier.awaitAsync().toCompletableFuture();
    awaitWaiting(RESOURCE, 1);
    cancelled.cancel(false);
    awaitWaiting(RESOURCE, 0);

    CompletableFuture<Void> first = barrier.awaitAsync().toCompletableFuture();
    CompletableFuture<Void> second = barrier.awaitAsync().toCompletableFuture();
    awaitWaiting(RESOURCE, 2);
    pass(Delays.millis(50));
    assertThat(first).isNotDone();
    Worker.outcome(barrier.awaitAsync().thenApply(nothing -> true));
    Worker.get(first.thenApply(nothing -> true));
    Worker.get(second.thenApply(nothing -> true));
  }

  private static final String UNKNOWN = "unknown";

  @Test
  @Promise("B3")
  void nobodyPassesWithAMemberWhoseTimeWasOver() throws Exception {
    Lockkeeper one = client();
    Lockkeeper two = client();
    for (int i = 0; i < Rounds.of(40); i++) {
      DistributedBarrier leaving = one.barrier(NAME + i, 2);
      DistributedBarrier later = (i % 2 == 0 ? one : two).barrier(NAME + i, 2);
      Duration wait = Duration.ofMillis(5 + i % 10);
      Worker member = worker();
      Future<String> first =
          i % 4 < 2
              ? member.start(() -> outcome(leaving, wait))
              : member.start(() -> asyncOutcome(leaving, wait));
      if (i % 3 == 0) {
        Worker.get(first);
      }
      String second = outcome(later, Duration.ofMillis(5));
      if (!(second + Worker.get(first)).contains(UNKNOWN)) {
        assertThat(second).as("round %d", i).isEqualTo(Worker.get(first));
      }
    }
  }

  private static String outcome(DistributedBarrier barrier, Duration wait)
      throws InterruptedException {
    try {
      barrier.await(wait);
      return "passed";
    } catch (AcquireTimeoutException over) {
      return "left";
    } catch (StoreUnavailableException slow) {
      return UNKNOWN;
    }
  }

  private static String asyncOutcome(DistributedBarrier barrier, Duration wait) {
    return barrier
        .awaitAsync(wait)
        .toCompletableFuture()
        .handle(
            (none, failure) ->
                failure == null
                    ? "passed"
                    : failure instanceof AcquireTimeoutException ? "left" : UNKNOWN)
        .join();
  }

  @Test
  @Promise("B4")
  void whoHasDiedDoesNotCount() {
    Faults dying = faults();
    DistributedBarrier dead = client(dying).barrier(NAME, 3);
    dead.awaitAsync();
    awaitWaiting(RESOURCE, 1);
    dying.kill();
    eventually().until(() -> inspect(RESOURCE).waiting() == 0);

    DistributedBarrier barrier = barrier(3);
    List<CompletableFuture<Void>> members =
        IntStream.range(0, 2).mapToObj(i -> barrier.awaitAsync().toCompletableFuture()).toList();
    awaitWaiting(RESOURCE, 2);
    assertThat(members).noneMatch(CompletableFuture::isDone);
    Worker.outcome(barrier.awaitAsync().thenApply(nothing -> true));
    members.forEach(member -> Worker.get(member.thenApply(nothing -> true)));
  }

  // ------------------------------------------------------------- failures

  @Test
  @Promise("B5")
  void membersThatHearNothingPass() {
    Faults deaf = faults();
    deaf.loseNotifications();
    DistributedBarrier waiting = client(deaf).barrier(NAME, 3);
    CompletableFuture<Void> first = waiting.awaitAsync().toCompletableFuture();
    CompletableFuture<Void> second = waiting.awaitAsync().toCompletableFuture();
    awaitWaiting(RESOURCE, 2);

    Worker.outcome(barrier(3).awaitAsync().thenApply(nothing -> true));

    Worker.get(first.thenApply(nothing -> true));
    Worker.get(second.thenApply(nothing -> true));
  }

  @Test
  @Promise("B5")
  void aMemberThatWasCutOffAsTheLastCamePassesAfterwards() {
    Faults faults = faults();
    DistributedBarrier waiting = client(faults).barrier(NAME, 2);
    CompletableFuture<Void> first = waiting.awaitAsync().toCompletableFuture();
    awaitWaiting(RESOURCE, 1);
    faults.refuse();

    Worker.outcome(barrier(2).awaitAsync().thenApply(nothing -> true));

    pass(Delays.millis(1_500)); // longer than a grant that nobody confirms lasts
    assertThat(first).isNotDone();
    faults.heal();
    Worker.get(first.thenApply(nothing -> true));
    assertThat(inspect(RESOURCE).waiting()).isZero();
  }

  @Test
  @Promise("B5")
  void aLostReplyCountsOnce() {
    Faults faults = faults();
    DistributedBarrier barrier = client(faults).barrier(NAME, 2);
    faults.loseReplies(1);
    CompletableFuture<Void> first = barrier.awaitAsync().toCompletableFuture();
    awaitWaiting(RESOURCE, 1);
    pass(Delays.millis(100));
    assertThat(first).isNotDone();
    faults.loseReplies(1);
    Worker.outcome(barrier.awaitAsync().thenApply(nothing -> true));
    Worker.get(first.thenApply(nothing -> true));
    assertThat(inspect(RESOURCE).waiting()).isZero();
  }

  @Test
  @ResourceLock(TckBase.MEMORY)
  @Promise("B5")
  void membersThatTheStoreForgotComeAgain() {
    DistributedBarrier barrier = barrier(3);
    List<CompletableFuture<Void>> members =
        IntStream.range(0, 2).mapToObj(i -> barrier.awaitAsync().toCompletableFuture()).toList();
    awaitWaiting(RESOURCE, 2);
    loseEverything();
    Worker.outcome(barrier(3).awaitAsync().thenApply(nothing -> true));
    members.forEach(member -> Worker.get(member.thenApply(nothing -> true)));
  }

  @Test
  @Promise("B3")
  void closingEndsTheWait() {
    Lockkeeper closing = client();
    CompletableFuture<Void> member = closing.barrier(NAME, 2).awaitAsync().toCompletableFuture();
    awaitWaiting(RESOURCE, 1);
    closing.close();
    assertThatThrownBy(() -> Worker.get(member)).isInstanceOf(LockkeeperClosedException.class);
    awaitWaiting(RESOURCE, 0);
  }
}
