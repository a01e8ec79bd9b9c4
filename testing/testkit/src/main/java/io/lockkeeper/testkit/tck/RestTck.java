package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.DistributedLock;
import io.lockkeeper.HolderReport;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.PermitLease;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Inspection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Chapter "Rest": locks that stay closed for a while after their release. */
public abstract class RestTck extends TckBase {

  /** Longer than any test, so that nothing but what is tested ends it. */
  private static final Duration LONG = Duration.ofHours(24);

  /** Longer than any test too, and short enough to tell from {@link #LONG}. */
  private static final Duration HOUR = Duration.ofHours(1);

  private static final Duration SHORT = Delays.millis(600);

  /** The time by which a clock of a store may be coarser than that of the test, or run slower. */
  private static final Duration COARSE = Duration.ofMillis(20);

  private Lease held(Lockkeeper keeper) throws InterruptedException {
    return keeper.lock(NAME).acquire();
  }

  private Inspection.Holder resting() {
    Inspection.Holder holder = Objects.requireNonNull(inspect(NAME).holder(), "nobody holds it");
    assertThat(holder.isResting()).isTrue();
    return holder;
  }

  private void forceOpen() {
    assertThat(client().lock(NAME).forceUnlock()).isTrue();
    awaitFree(NAME);
  }

  @Test
  @Promise({"R10", "T1"})
  void itStaysClosedForTheRestAndThenOpensByItself() throws Exception {
    Lockkeeper other = client();
    Lease lease = held(client());
    long begun = System.nanoTime();

    lease.releaseAfter(SHORT);

    assertThat(lease.isValid()).isFalse();
    Optional<Lease> tried = other.lock(NAME).tryAcquire(Duration.ZERO);
    Lease next = tried.isPresent() ? tried.get() : held(other);
    assertThat(Duration.ofNanos(System.nanoTime() - begun))
        .isGreaterThanOrEqualTo(SHORT.minus(COARSE));
    assertThat(next.token()).isGreaterThan(lease.token());
    next.release();
    awaitFree(NAME);
  }

  @Test
  @Promise("R10")
  void itOpensForWhoAsksLongAfterIt() throws Exception {
    Lease lease = held(client());
    lease.releaseAfter(SHORT);
    pass(SHORT.plus(COARSE));

    assertThat(client().lock(NAME).tryLock()).as("at the first attempt").isTrue();
  }

  @Test
  @Promise({"R10", "R11"})
  void itOpensForAClientThatComesLongAfterItAndHasSeenNothing() throws Exception {
    Lease lease = held(client());
    lease.releaseAfter(SHORT);
    pass(SHORT.plus(COARSE).plus(LATE));

    DistributedLock lock = stranger().lock(NAME);
    assertThat(lock.tryLock()).as("at the first attempt").isTrue();
    lock.unlock();
    awaitFree(NAME);
  }

  @Test
  @Promise({"R10", "W2"})
  void theFirstInLineGetsItAfterTheRest() throws Exception {
    Lease lease = held(client());
    CompletableFuture<Lease> first = client().fairLock(NAME).acquireAsync().toCompletableFuture();
    awaitWaiting(NAME, 1);
    CompletableFuture<Lease> second = client().fairLock(NAME).acquireAsync().toCompletableFuture();
    awaitWaiting(NAME, 2);
    long begun = System.nanoTime();

    lease.releaseAfter(SHORT);

    Lease next = Worker.get(first);
    assertThat(Duration.ofNanos(System.nanoTime() - begun))
        .isGreaterThanOrEqualTo(SHORT.minus(COARSE));
    assertThat(second).isNotDone();
    next.release();
    Worker.get(second).release();
  }

  @Test
  @Promise("R10")
  void waitersOfTheSameClientDoNotGetItByHandOff() throws Exception {
    Lockkeeper keeper = client();
    Lease lease = held(keeper);
    CompletableFuture<Long> waiting = timeOf(keeper.lock(NAME));
    CompletableFuture<Long> inLine = timeOf(keeper.fairLock(NAME));
    long begun = System.nanoTime();

    lease.releaseAfter(SHORT);

    for (CompletableFuture<Long> each : List.of(waiting, inLine)) {
      assertThat(Duration.ofNanos(Worker.get(each) - begun))
          .isGreaterThanOrEqualTo(SHORT.minus(COARSE));
    }
    awaitFree(NAME);
  }

  /** Returns when a lock was acquired, which is then released. */
  private static CompletableFuture<Long> timeOf(DistributedLock lock) {
    CompletionStage<Long> time =
        lock.acquireAsync()
            .thenApply(
                lease -> {
                  long acquired = System.nanoTime();
                  lease.release();
                  return acquired;
                });
    return time.toCompletableFuture();
  }

  @Test
  @Promise({"R10", "I1"})
  void aClientThatKeepsLocksDoesNotKeepThisOne() throws Exception {
    DistributedLock lock = client().lock(NAME, LockOptions.defaults().withRetention(LONG));

    lock.acquire().releaseAfter(LONG);

    assertThat(lock.tryLock()).isFalse();
    resting();
    forceOpen();
  }

  @Test
  @Promise({"R11", "C1"})
  void itOutlastsTheClosingOfItsClient() throws Exception {
    Lockkeeper keeper = client();
    held(keeper).releaseAfter(LONG);

    keeper.close();

    assertThat(client().lock(NAME).tryLock()).isFalse();
    resting();
    forceOpen();
  }

  @Test
  @Promise("R11")
  void itOutlastsTheCrashOfItsClientAndIsNotLongerForIt() throws Exception {
    Faults faults = faults();
    Lease lease = held(client(faults));
    lease.releaseAfter(SHORT);
    faults.kill();

    Lease next = held(client());

    assertThat(next.token()).isGreaterThan(lease.token());
    next.release();
  }

  @Test
  @Promise({"R11", "R3"})
  void aSecondReleaseChangesNothing() throws Exception {
    Lease lease = held(client());
    lease.releaseAfter(HOUR);
    lease.release();
    resting();

    lease.releaseAfter(LONG);
    lease.close();

    assertThat(resting().leaseMicros()).isLessThanOrEqualTo(HOUR.toNanos() / 1_000);
    forceOpen();
  }

  @Test
  @Promise("R11")
  void aRequestWhoseAnswerIsLostDoesNotMakeItLonger() throws Exception {
    Faults faults = faults();
    Lease lease = held(client(faults));
    faults.loseRepliesToChanges(1);

    lease.releaseAfter(HOUR);

    assertThat(resting().leaseMicros()).isLessThanOrEqualTo(HOUR.toNanos() / 1_000);
    forceOpen();
  }

  @Test
  @Promise("R11")
  void itOutlastsAnAttemptToRenewIt() throws Exception {
    Lease lease = held(client());
    lease.releaseAfter(HOUR);

    assertThatThrownBy(() -> lease.renew(LONG)).isInstanceOf(IllegalStateException.class);

    assertThat(resting().leaseMicros()).isLessThanOrEqualTo(HOUR.toNanos() / 1_000);
    forceOpen();
  }

  @Test
  @Promise({"R12", "R7"})
  void itIsOpenedByForce() throws Exception {
    held(client()).releaseAfter(LONG);
    DistributedLock other = client().lock(NAME);
    CompletableFuture<Lease> waiting = other.acquireAsync().toCompletableFuture();
    awaitWaiting(NAME, 1);

    assertThat(client().lock(NAME).forceUnlock()).isTrue();

    Worker.get(waiting).release();
    awaitFree(NAME);
    assertThat(other.forceUnlock()).isFalse();
  }

  @Test
  @Promise({"R12", "IN4"})
  void itIsShownAndOpenedWhereItIsShown() throws Exception {
    Lockkeeper keeper = client(builder -> builder.clientName("the one that rests"));
    Lease lease = held(keeper);
    assertThat(report(keeper).resting()).isFalse();

    lease.releaseAfter(LONG);

    HolderReport shown = report(client());
    assertThat(shown.resting()).isTrue();
    assertThat(shown.client().name()).isEqualTo("the one that rests");
    assertThat(shown.token()).isEqualTo(lease.token());
    assertThat(shown.leaseLeft()).isBetween(LONG.minus(Delays.patience()), LONG);
    assertThat(keeper.lock(NAME).isLocked()).isTrue();
    assertThat(keeper.admin().forceRelease(shown)).isTrue();
    awaitFree(NAME);
    assertThat(keeper.admin().forceRelease(shown)).isFalse();
  }

  private static HolderReport report(Lockkeeper keeper) {
    return keeper.admin().inspect(ResourceKind.LOCK, NAME).holders().get(0);
  }

  @Test
  @Promise({"R10", "R2"})
  void aLostLeaseDoesNotRest() throws Exception {
    Lease late = client().lock(NAME).acquire(fixed(Delays.millis(50)));
    Lease present = held(client());

    assertThatThrownBy(() -> late.releaseAfter(LONG)).isInstanceOf(LeaseLostException.class);
    Worker.outcome(late.releaseAfterAsync(LONG));

    assertThat(present.isValid()).isTrue();
    present.release();
    awaitFree(NAME);
  }

  @Test
  @Promise({"R10", "L3"})
  void whatWasTakenAwayUnnoticedDoesNotRestAndThatIsTold() throws Exception {
    Faults faults = faults();
    faults.loseNotifications();
    Lease lease = held(client(faults));
    assertThat(client().lock(NAME).forceUnlock()).isTrue();

    assertThatThrownBy(() -> lease.releaseAfter(LONG)).isInstanceOf(LeaseLostException.class);

    awaitFree(NAME);
  }

  @Test
  @Promise({"R10", "R8"})
  void withoutARestItIsAReleaseThatIsConfirmed() throws Exception {
    DistributedLock other = client().lock(NAME);

    held(client()).releaseAfter(Duration.ZERO);

    assertThat(other.tryLock()).isTrue();
    other.unlock();
  }

  @Test
  @Promise({"R10", "D5"})
  void whenTheStoreIsSilentItIsToldThatTheRestIsNotKnown() throws Exception {
    Faults faults = faults();
    Lease lease =
        client(faults, builder -> builder.storeTimeout(Delays.millis(300))).lock(NAME).acquire();
    faults.refuse();

    assertThatThrownBy(() -> lease.releaseAfter(SHORT))
        .isInstanceOf(StoreUnavailableException.class);

    assertThat(lease.isValid()).isFalse();
    faults.heal();
    held(client()).release();
    awaitFree(NAME);
  }

  @Test
  @Promise("R10")
  void itIsToldAsynchronously() throws Exception {
    Lockkeeper keeper = client();
    CompletableFuture<Void> known = held(keeper).releaseAfterAsync(LONG).toCompletableFuture();

    Worker.get(known);

    resting();
    forceOpen();
  }

  @Test
  @Promise({"R10", "N3"})
  void aRestIsFromZeroTo24Hours() throws Exception {
    Lease lease = held(client());

    for (Duration wrong : new Duration[] {Duration.ofMillis(-1), LONG.plusMillis(1)}) {
      assertThatThrownBy(() -> lease.releaseAfter(wrong))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> lease.releaseAfterAsync(wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }

    assertThat(lease.isValid()).isTrue();
    lease.release();
  }

  @Test
  @Promise("R10")
  void whatHasSeveralHoldersCannotRest() throws Exception {
    Lockkeeper keeper = client();
    PermitLease permit = keeper.semaphore("s", 2).acquire();
    Lease writer = keeper.readWriteLock("rw").writeLock().acquire();

    for (Lease lease : new Lease[] {permit, writer}) {
      assertThatThrownBy(() -> lease.releaseAfter(SHORT))
          .isInstanceOf(UnsupportedOperationException.class);
      assertThat(lease.isValid()).isTrue();
      lease.release();
    }
  }
}
