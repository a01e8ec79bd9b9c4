package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.PermitLease;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ResourceId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Chapter "Semaphores".
 *
 * <p>This file is long because a chapter has all tests of its promises.
 */
public abstract class SemaphoreTck extends TckBase {

  private static final ResourceId RESOURCE = new ResourceId(ResourceKind.SEMAPHORE, NAME);
  private static final Duration SHORT = Delays.millis(600);

  private DistributedSemaphore semaphore(int permits) {
    return client().semaphore(NAME, permits);
  }

  private void awaitAvailable(DistributedSemaphore semaphore, int permits) {
    eventually().untilAsserted(() -> assertThat(semaphore.availablePermits()).isEqualTo(permits));
  }

  // ------------------------------------------------------------- how many

  /** The leases that are out, to count those that are valid. */
  private static final class Register {
    private final ReentrantLock lock = new ReentrantLock();
    private final List<PermitLease> out = new ArrayList<>();
    private int most;

    /** Adds a lease; all that are counted here were valid together when the lock was taken. */
    void add(PermitLease lease) {
      lock.lock();
      try {
        out.add(lease);
        int valid = out.stream().filter(PermitLease::isValid).mapToInt(PermitLease::permits).sum();
        most = Math.max(most, valid);
      } finally {
        lock.unlock();
      }
    }

    void remove(PermitLease lease) {
      lock.lock();
      try {
        out.remove(lease);
      } finally {
        lock.unlock();
      }
    }
  }

  @Test
  @Promise({"S1", "S3"})
  void sixteenClientsThatAreKilledAtRandomNeverHaveMoreThanThreePermits() {
    Register register = new Register();
    int rounds = Rounds.of(100);
    long seed = System.nanoTime();
    System.out.println("sixteenClientsThatAreKilledAtRandom: seed " + seed);
    List<Mortal> mortals = IntStream.range(0, 16).mapToObj(i -> new Mortal()).toList();

    together(
        16,
        i -> {
          Random random = new Random(seed + i);
          for (int round = 0; round < rounds; round++) {
            PermitLease lease = mortals.get(i).semaphore.acquire();
            register.add(lease);
            if (random.nextInt(50) == 0) {
              mortals.get(i).dieAndBeReborn(); // with the permit
              continue;
            }
            register.remove(lease);
            try {
              lease.release();
            } catch (LeaseLostException slowMachine) {
              assertThat(slowMachine.loss().reason()).isEqualTo(LeaseLost.Reason.EXPIRED);
            }
          }
        });

    assertThat(register.most).isLessThanOrEqualTo(3);
    awaitAvailable(mortals.get(0).semaphore, 3);
    Optional<PermitLease> all = mortals.get(0).semaphore.tryAcquire(3);
    assertThat(all).isPresent();
    all.orElseThrow().release();
  }

  /** A client that is killed from time to time, and another takes its place. */
  private final class Mortal {
    private Faults faults = faults();
    private DistributedSemaphore semaphore = connect();

    private DistributedSemaphore connect() {
      return client(faults, builder -> builder.lease(Delays.limit(1_000))).semaphore(NAME, 3);
    }

    void dieAndBeReborn() {
      faults.kill();
      register();
    }

    private void register() {
      births.lock();
      try {
        faults = faults();
        semaphore = connect();
      } finally {
        births.unlock();
      }
    }
  }

  private final ReentrantLock births = new ReentrantLock();

  /** Plain on purpose: only the semaphore guards it. */
  private int count;

  @Test
  @Promise("S1")
  void sixteenClientsCountUnderOnePermit() {
    int rounds = Rounds.of(100);
    List<DistributedSemaphore> semaphores =
        IntStream.range(0, 16).mapToObj(i -> semaphore(1)).toList();
    together(
        16,
        i -> {
          for (int round = 0; round < rounds; round++) {
            try (PermitLease lease = semaphores.get(i).acquire()) {
              assertThat(lease.permits()).isEqualTo(1);
              count++;
            }
          }
        });
    assertThat(count).isEqualTo(16 * rounds);
  }

  @Test
  @Promise({"S1", "S2"})
  void whoWantsAllPermitsThereCanBeIsAlone() {
    List<DistributedSemaphore> semaphores =
        IntStream.range(0, 4).mapToObj(i -> semaphore(Integer.MAX_VALUE)).toList();
    AtomicInteger inside = new AtomicInteger();
    together(
        4,
        i -> {
          for (int round = 0; round < 10; round++) {
            boolean all = (i + round) % 2 == 0;
            try (PermitLease lease = semaphores.get(i).acquire(all ? Integer.MAX_VALUE : 1)) {
              int now = inside.incrementAndGet();
              assertThat(all && now > 1).as("%s beside others", lease).isFalse();
              inside.decrementAndGet();
            }
          }
        });
    awaitAvailable(semaphores.get(0), Integer.MAX_VALUE);
  }

  @Test
  @Promise("S1")
  void afterAllPermitsTheNextIsRefused() {
    DistributedSemaphore semaphore = semaphore(5);
    DistributedSemaphore elsewhere = semaphore(5);
    List<PermitLease> leases = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      leases.add(semaphore.tryAcquire().orElseThrow());
    }
    assertThat(leases).extracting(PermitLease::token).isSorted().doesNotHaveDuplicates();
    assertThat(elsewhere.tryAcquire()).isEmpty();
    assertThat(elsewhere.availablePermits()).isZero();
    leases.get(2).release();
    eventually().until(() -> elsewhere.availablePermits() == 1);
    PermitLease sixth = elsewhere.tryAcquire().orElseThrow();
    leases.forEach(PermitLease::release); // again for one of them: does nothing
    sixth.release();
    awaitAvailable(semaphore, 5);
  }

  @Test
  @Promise("S1")
  void randomPortionsNeverExceedTheLimitAndReachIt() throws InterruptedException {
    List<DistributedSemaphore> semaphores =
        IntStream.range(0, 4).mapToObj(i -> semaphore(8)).toList();
    Register register = new Register();
    long seed = System.nanoTime();
    System.out.println("randomPortions: seed " + seed);
    together(
        8,
        i -> {
          Random random = new Random(seed + i);
          for (int round = 0; round < Rounds.of(100); round++) {
            PermitLease lease = semaphores.get(i % 4).acquire(1 + random.nextInt(8));
            register.add(lease);
            register.remove(lease);
            lease.release();
          }
        });
    assertThat(register.most).isBetween(5, 8);
    PermitLease all = semaphores.get(0).acquire(8);
    assertThat(all.permits()).isEqualTo(8);
    all.release();
  }

  // ------------------------------------------------------------- order

  @Test
  @Promise("S2")
  void aLargeRequestIsNotStarvedBySmallOnes() {
    DistributedSemaphore semaphore = semaphore(5);
    DistributedSemaphore elsewhere = semaphore(5);
    PermitLease three = take(semaphore, 3);
    CompletableFuture<PermitLease> four = elsewhere.acquireAsync(4).toCompletableFuture();
    awaitWaiting(RESOURCE, 1);
    CompletableFuture<PermitLease> one = semaphore.acquireAsync().toCompletableFuture();
    awaitWaiting(RESOURCE, 2);
    assertThat(semaphore.tryAcquire()).isEmpty();
    assertThat(semaphore.drainPermits()).isEmpty();

    three.release(2);

    assertThat(Worker.get(four).permits()).isEqualTo(4);
    assertThat(one).isNotDone();
    Worker.get(four).release();
    Worker.get(one).release();
    three.release();
    awaitAvailable(semaphore, 5);
  }

  private static PermitLease take(DistributedSemaphore semaphore, int permits) {
    return semaphore.tryAcquire(permits).orElseThrow();
  }

  @Test
  @Promise("S2")
  void fourOfFiveAreGrantedAfterTheSecondRelease() {
    DistributedSemaphore semaphore = semaphore(5);
    PermitLease two = take(semaphore, 2);
    PermitLease one = take(semaphore, 1);
    CompletableFuture<PermitLease> four = semaphore.acquireAsync(4).toCompletableFuture();
    awaitWaiting(RESOURCE, 1);

    one.release();
    pass(Delays.millis(50));
    assertThat(four).isNotDone();
    two.release();

    Worker.get(four).release();
  }

  // ------------------------------------------------------------- waiting

  @Test
  @Promise("S4")
  void fiveAsynchronousWaitersAreServedByOneReleaseOfFive() {
    assertOneReleaseServesFive(semaphore(5));
  }

  @Test
  @Promise("S4")
  void waitersThatHearNothingAreServed() {
    Faults deaf = faults();
    deaf.loseNotifications();
    assertOneReleaseServesFive(client(deaf).semaphore(NAME, 5));
  }

  private void assertOneReleaseServesFive(DistributedSemaphore waiting) {
    PermitLease five = take(semaphore(5), 5);
    List<CompletableFuture<PermitLease>> waiters = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      waiters.add(waiting.acquireAsync().toCompletableFuture());
    }
    awaitWaiting(RESOURCE, 5);

    five.release();

    waiters.forEach(waiter -> Worker.get(waiter).release());
  }

  @Test
  @ResourceLock(TckBase.MEMORY)
  @Promise("S4")
  void aWaiterThatTheStoreForgotIsServed() {
    DistributedSemaphore semaphore = client(builder -> builder.lease(KEPT)).semaphore(NAME, 1);
    PermitLease held = take(semaphore, 1);
    CompletableFuture<PermitLease> waiter = semaphore(1).acquireAsync().toCompletableFuture();
    awaitWaiting(RESOURCE, 1);

    loseEverything();

    Worker.get(waiter).release();
    assertLost(held, LeaseLost.Reason.NOT_AT_STORE);
  }

  @Test
  @Promise("S4")
  void aClaimWhoseAnswerIsLostIsGrantedOnce() {
    Faults faults = faults();
    DistributedSemaphore semaphore = client(faults).semaphore(NAME, 3);
    faults.loseReplies(1);
    PermitLease lease = Worker.outcome(semaphore.acquireAsync(2));
    assertThat(semaphore.availablePermits()).isEqualTo(1);
    lease.release();
    awaitAvailable(semaphore, 3);
  }

  @Test
  @Promise("S5")
  void aWaitThatEndsLeavesNoPlace() throws InterruptedException {
    DistributedSemaphore semaphore = semaphore(2);
    PermitLease held = take(semaphore, 2);
    Worker interrupted = worker();
    Future<PermitLease> one = interrupted.start(semaphore::acquire);
    CompletableFuture<PermitLease> cancelled = semaphore.acquireAsync(2).toCompletableFuture();
    awaitWaiting(RESOURCE, 2);

    interrupted.interrupt();
    cancelled.cancel(false);
    assertThat(semaphore.tryAcquire(Delays.millis(50))).isEmpty();
    AcquireOptions limited = AcquireOptions.defaults().withWait(Delays.millis(50));
    assertThatThrownBy(() -> semaphore.acquire(limited))
        .isInstanceOf(AcquireTimeoutException.class);
    assertThatThrownBy(() -> Worker.outcome(semaphore.acquireAsync(1, limited)))
        .isInstanceOf(AcquireTimeoutException.class);

    assertThatThrownBy(() -> Worker.get(one)).isInstanceOf(InterruptedException.class);
    awaitWaiting(RESOURCE, 0);
    held.release();
    awaitAvailable(semaphore, 2);
  }

  @Test
  @Promise("S5")
  void aTimeLimitIsKeptWhileTheStoreIsSilent() {
    Faults faults = faults();
    DistributedSemaphore semaphore = client(faults).semaphore(NAME, 1);
    faults.silence();
    Duration took =
        duration(
            () -> {
              try {
                return semaphore.tryAcquire(Delays.millis(100));
              } catch (io.lockkeeper.StoreUnavailableException silent) {
                return silent;
              }
            });
    assertThat(took).isLessThan(Delays.millis(1_900));
    faults.heal();
  }

  @Test
  @Promise("S5")
  void closingTheClientGivesBackAndEndsWaits() {
    Lockkeeper closing = client();
    DistributedSemaphore semaphore = closing.semaphore(NAME, 3);
    PermitLease two = take(semaphore, 2);
    CompletableFuture<PermitLease> waiter = semaphore.acquireAsync(2).toCompletableFuture();
    awaitWaiting(RESOURCE, 1);

    closing.close();

    assertThatThrownBy(() -> Worker.get(waiter)).isInstanceOf(LockkeeperClosedException.class);
    assertLost(two, LeaseLost.Reason.CLIENT_CLOSED);
    assertThatThrownBy(semaphore::tryAcquire).isInstanceOf(LockkeeperClosedException.class);
    PermitLease all = take(semaphore(3), 3);
    all.release();
  }

  // ------------------------------------------------------------- leases

  @Test
  @Promise("S3")
  void aDeadClientsPermitsComeBack() {
    Faults dying = faults();
    DistributedSemaphore dead = client(dying, builder -> builder.lease(SHORT)).semaphore(NAME, 2);
    take(dead, 2);
    dying.kill();

    PermitLease lease = Worker.outcome(semaphore(2).acquireAsync(2));

    lease.release();
  }

  @Test
  @Promise("S3")
  void aHeldPermitStaysHeldAndIsBoundToNoThread() {
    DistributedSemaphore semaphore = client(builder -> builder.lease(KEPT)).semaphore(NAME, 1);
    PermitLease lease = worker().call(semaphore::acquire);

    outlive(KEPT);

    assertThat(lease.isValid()).isTrue();
    assertThat(semaphore.tryAcquire()).isEmpty();
    worker().run(lease::release);
    awaitAvailable(semaphore, 1);
  }

  @Test
  @Promise("S3")
  void aPermitOfFixedLengthGivesWayAtItsEnd() throws InterruptedException {
    DistributedSemaphore semaphore = semaphore(1);
    Duration length = Delays.millis(2_000);
    long start = System.nanoTime();
    PermitLease fixed = semaphore.acquire(fixed(length));

    PermitLease next = semaphore(1).acquire();

    Duration after = Duration.ofNanos(System.nanoTime() - start);
    assertThat(after).isBetween(length.minusMillis(100), length.plus(Delays.millis(5_000)));
    assertThat(fixed.isValid()).isFalse();
    assertLost(fixed, LeaseLost.Reason.FIXED_LEASE_ENDED);
    assertThatThrownBy(fixed::release).isInstanceOf(LeaseLostException.class);
    assertThat(next.token()).isGreaterThan(fixed.token());
    assertThat(next.isValid()).isTrue();
    next.release();
  }

  // ------------------------------------------------------------- giving back

  @Test
  @Promise("S6")
  void releasingTwiceReleasesOnce() {
    DistributedSemaphore semaphore = semaphore(2);
    PermitLease first = take(semaphore, 1);
    PermitLease second = take(semaphore, 1);
    first.release();
    first.release();
    first.close();
    awaitAvailable(semaphore, 1);
    assertThatThrownBy(() -> first.release(1)).isInstanceOf(IllegalStateException.class);
    assertThat(semaphore.release(first.id())).isFalse();
    assertThat(semaphore.availablePermits()).isEqualTo(1);
    second.release();
    awaitAvailable(semaphore, 2);
  }

  @Test
  @Promise("S6")
  void aPartOfItsPermitsCanBeGivenBack() {
    DistributedSemaphore semaphore = semaphore(5);
    PermitLease five = take(semaphore, 5);
    CompletableFuture<PermitLease> waiter = semaphore(5).acquireAsync(3).toCompletableFuture();
    awaitWaiting(RESOURCE, 1);

    five.release(1);
    five.release(2);

    assertThat(five.permits()).isEqualTo(2);
    assertThat(five.isValid()).isTrue();
    Worker.get(waiter).release();
    assertThatThrownBy(() -> five.release(3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> five.release(0)).isInstanceOf(IllegalArgumentException.class);
    assertThat(five.permits()).isEqualTo(2);
    five.release(2);
    assertThat(five.isValid()).isFalse();
    awaitAvailable(semaphore, 5);
  }

  @Test
  @Promise("S6")
  void aPartIsGivenBackAlthoughTheStoreCouldNotBeReached() {
    Faults faults = faults();
    DistributedSemaphore semaphore = client(faults).semaphore(NAME, 3);
    PermitLease three = take(semaphore, 3);
    faults.refuse();
    three.release(2);
    assertThat(three.permits()).isEqualTo(1);
    faults.heal();
    awaitAvailable(semaphore, 2);
    faults.loseReplies(1);
    three.release();
    awaitAvailable(semaphore, 3);
  }

  @Test
  @Promise("S6")
  void aPartThatWasGivenBackIsFreeForTheNextRequest() throws InterruptedException {
    DistributedSemaphore semaphore = semaphore(3);
    for (int i = 0; i < Rounds.of(200); i++) {
      PermitLease three = semaphore.acquire(3);
      three.release(2);
      Optional<PermitLease> two = semaphore.tryAcquire(2);
      assertThat(two).as("round %d", i).isPresent();
      two.orElseThrow().release();
      three.release();
    }
  }

  // ------------------------------------------------------------- by id

  @Test
  @Promise("S7")
  void aReleaseByIdWhoseAnswerIsLostSaysThatItReleased() {
    PermitLease lease = take(semaphore(2), 2);
    Faults faults = faults();
    DistributedSemaphore elsewhere = client(faults).semaphore(NAME, 2);
    faults.loseRepliesToChanges(2);

    assertThat(elsewhere.release(lease.id())).isTrue();

    assertThat(elsewhere.release(lease.id())).isFalse();
    assertThat(lease.lost()).succeedsWithin(Delays.patience());
    awaitAvailable(elsewhere, 2);
  }

  @Test
  @Promise("S7")
  void aPermitIsReleasedByItsIdFromElsewhere() {
    DistributedSemaphore semaphore = semaphore(2);
    DistributedSemaphore elsewhere = semaphore(2);
    PermitLease lease = take(semaphore, 2);
    CompletableFuture<PermitLease> waiter = elsewhere.acquireAsync(2).toCompletableFuture();
    awaitWaiting(RESOURCE, 1);

    assertThat(elsewhere.release(lease.id())).isTrue();

    Worker.get(waiter).release();
    assertLost(lease, LeaseLost.Reason.NOT_AT_STORE);
    assertThat(elsewhere.release(lease.id())).isFalse();
    awaitAvailable(semaphore, 2);
  }

  @Test
  @Promise("S7")
  void aPermitIsReleasedByItsIdInItsOwnClient() {
    DistributedSemaphore semaphore = semaphore(2);
    PermitLease lease = take(semaphore, 2);
    assertThat(semaphore.release(lease.id())).isTrue();
    assertThat(lease.isValid()).isFalse();
    lease.release(); // was released, not lost
    assertThat(semaphore.renew(lease.id(), Delays.millis(500))).isFalse();
    awaitAvailable(semaphore, 2);
  }

  @Test
  @Promise("S7")
  void aPermitIsReleasedByItsIdByAClientThatHasSeenNothingOfIt() {
    DistributedSemaphore semaphore = semaphore(3);
    for (int round = 0; round < 5; round++) {
      PermitLease lease = take(semaphore, 3);

      assertThat(stranger().semaphore(NAME, 3).release(lease.id())).isTrue();

      assertLost(lease, LeaseLost.Reason.NOT_AT_STORE);
      awaitAvailable(semaphore, 3);
    }
  }

  @Test
  @Promise({"S1", "S7"})
  void noClientShortensALeaseByItsId() throws InterruptedException {
    DistributedSemaphore semaphore = semaphore(2);
    Duration brief = Duration.ofMillis(100);
    for (PermitLease lease :
        List.of(take(semaphore, 1), semaphore.acquire(fixed(Delays.millis(60_000))))) {
      assertThat(stranger().semaphore(NAME, 2).renew(lease.id(), brief)).isTrue();
      assertThat(stranger().semaphore(NAME, 2).renew(lease.id(), brief)).isTrue();
    }

    pass(brief.multipliedBy(2));

    assertThat(stranger().semaphore(NAME, 2).tryAcquire()).isEmpty();
    assertThat(semaphore(2).availablePermits()).isZero();
    assertThat(semaphore.tryAcquire()).isEmpty();
  }

  @Test
  @Promise("S7")
  void aPermitIsExtendedByItsIdFromElsewhere() throws InterruptedException {
    DistributedSemaphore semaphore = semaphore(1);
    DistributedSemaphore elsewhere = semaphore(1);
    PermitLease lease = semaphore.acquire(fixed(KEPT));

    assertThat(elsewhere.renew(lease.id(), Delays.millis(60_000))).isTrue();

    eventually().until(() -> !lease.isValid());
    pass(Delays.millis(300));
    assertThat(elsewhere.availablePermits()).isZero();
    assertThat(semaphore.release(lease.id())).isTrue();
    awaitAvailable(semaphore, 1);
    assertThat(elsewhere.renew(lease.id(), Delays.millis(500))).isFalse();
  }

  @Test
  @Promise("S7")
  void aPermitIsExtendedByItsIdInItsOwnClient() throws InterruptedException {
    DistributedSemaphore semaphore = semaphore(1);
    PermitLease lease = semaphore.acquire(fixed(KEPT));
    assertThat(semaphore.renew(lease.id(), Delays.millis(60_000))).isTrue();
    assertThat(lease.remaining()).isGreaterThan(Delays.millis(30_000));
    lease.release();
  }

  @Test
  @Promise({"S7", "R6"})
  void anIdNamesOneLeaseHoweverFastTheNextOneIs() {
    DistributedSemaphore semaphore = semaphore(1);
    PermitLease ended = take(semaphore, 1);
    ended.release();
    for (int round = 0; round < Rounds.of(200); round++) {
      PermitLease lease = take(semaphore, 1);
      if (round % 4 == 0) {
        assertThat(semaphore.release(ended.id())).isFalse();
        assertThat(semaphore.renew(ended.id(), Delays.millis(60_000))).isFalse();
        assertThat(lease.isValid()).isTrue();
      }
      assertThat(lease.id()).isNotEqualTo(ended.id());
      lease.release();
      if (round % 5 == 0) {
        assertThat(semaphore.release(lease.id())).isFalse();
      }
      ended = lease;
    }
    awaitAvailable(semaphore, 1);
  }

  @Test
  @Promise("S7")
  void idsOfNothingChangeNothing() {
    DistributedSemaphore semaphore = semaphore(2);
    PermitLease lease = take(semaphore, 1);
    for (String id : List.of("", "x", lease.id() + " ", ".1", "a.", "A.1", "a.b", "a.-1")) {
      assertThatThrownBy(() -> semaphore.release(id)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> semaphore.renew(id, Delays.millis(500)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> semaphore.renew(lease.id(), Duration.ofMillis(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(semaphore.release("nobody.1")).isFalse();
    assertThat(semaphore.renew("nobody.1", Delays.millis(500))).isFalse();
    assertThat(client().semaphore("another", 2).release(lease.id())).isFalse();
    assertThat(semaphore.availablePermits()).isEqualTo(1);
    assertThat(lease.isValid()).isTrue();
    lease.release();
  }

  // ------------------------------------------------------------- another number

  @Test
  @Promise("S8")
  void raisingTheLimitLetsWaitersInAtOnce() {
    DistributedSemaphore semaphore = semaphore(1);
    DistributedSemaphore elsewhere = semaphore(1);
    PermitLease one = take(semaphore, 1);
    CompletableFuture<PermitLease> second = elsewhere.acquireAsync().toCompletableFuture();
    CompletableFuture<PermitLease> third = elsewhere.acquireAsync().toCompletableFuture();
    awaitWaiting(RESOURCE, 2);

    assertThat(semaphore.addPermits(2)).isEqualTo(3);

    Worker.get(second).release();
    Worker.get(third).release();
    one.release();
    awaitAvailable(elsewhere, 3);
    semaphore.resetPermits();
    awaitAvailable(elsewhere, 1);
  }

  @Test
  @Promise("S8")
  void loweringBelowWhatIsOutLeavesLessThanNothing() {
    DistributedSemaphore semaphore = semaphore(5);
    PermitLease four = take(semaphore, 4);
    semaphore.setPermits(2);
    assertThat(semaphore.availablePermits()).isEqualTo(-2);
    assertThat(semaphore.drainPermits()).isEmpty();
    assertThat(semaphore.tryAcquire()).isEmpty();
    assertThat(four.isValid()).isTrue();
    four.release(3);
    eventually().until(() -> semaphore.availablePermits() == 1);
    four.release();
    awaitAvailable(semaphore, 2);
    assertThat(semaphore.addPermits(-2)).isZero();
    assertThatThrownBy(() -> semaphore.addPermits(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> semaphore.setPermits(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(semaphore.availablePermits()).isZero();
    semaphore.resetPermits();
  }

  @Test
  @Promise("S8")
  void theFirstNumberCountsForAllUntilItIsChanged() {
    DistributedSemaphore first = semaphore(2);
    DistributedSemaphore second = semaphore(9);
    PermitLease lease = take(first, 1);
    assertThat(second.availablePermits()).isEqualTo(1);
    assertThat(second.tryAcquire(2)).isEmpty();
    lease.release();
    awaitAvailable(second, 9);
  }

  @Test
  @Promise("S8")
  void changesOfSeveralClientsAddUp() {
    List<DistributedSemaphore> semaphores =
        IntStream.range(0, 4).mapToObj(i -> semaphore(1)).toList();
    together(
        4,
        i -> {
          for (int round = 0; round < 10; round++) {
            semaphores.get(i).addPermits(1);
          }
        });
    assertThat(semaphores.get(0).availablePermits()).isEqualTo(41);
    semaphores.get(0).resetPermits();
  }

  @Test
  @Promise("S8")
  void aChangeWhoseAnswerIsLostIsMadeOnce() {
    Faults faults = faults();
    DistributedSemaphore semaphore = client(faults).semaphore(NAME, 1);
    DistributedSemaphore other = semaphore(1);
    other.setPermits(3);
    faults.loseRepliesToChanges(2);
    assertThat(semaphore.addPermits(2)).isEqualTo(5);
    faults.loseRepliesToChanges(1);
    semaphore.setPermits(7);
    assertThat(other.addPermits(-1)).isEqualTo(6);
    assertThat(other.availablePermits()).isEqualTo(6);
    other.resetPermits();
  }

  @Test
  @Promise("S8")
  void whatOthersAddWhileAClientIsCutOffIsNotLost() {
    Faults faults = faults();
    DistributedSemaphore semaphore = client(faults).semaphore(NAME, 1);
    DistributedSemaphore other = semaphore(1);
    long before = faults.requests();
    faults.refuseChanges();
    Future<Integer> late = worker().start(() -> semaphore.addPermits(10));
    eventually().until(() -> faults.requests() >= before + 3); // it has seen what it wants to
    assertThat(other.addPermits(1)).isEqualTo(2);
    faults.heal();
    assertThat(Worker.get(late)).isEqualTo(12);
    assertThat(other.availablePermits()).isEqualTo(12);
    other.resetPermits();
  }

  @Test
  @Promise("S8")
  void theLongestNameCanHaveItsNumberChanged() {
    DistributedSemaphore semaphore = client().semaphore("x".repeat(512), 2);
    assertThat(semaphore.addPermits(1)).isEqualTo(3);
    semaphore.resetPermits();
    assertThat(semaphore.availablePermits()).isEqualTo(2);
  }

  @Test
  @Promise("S9")
  void drainTakesWhatIsFree() {
    DistributedSemaphore semaphore = semaphore(10);
    PermitLease three = take(semaphore, 3);
    PermitLease rest = semaphore(10).drainPermits().orElseThrow();
    assertThat(rest.permits()).isEqualTo(7);
    assertThat(semaphore.drainPermits()).isEmpty();
    assertThat(semaphore.availablePermits()).isZero();
    rest.release();
    three.release();
    awaitAvailable(semaphore, 10);
  }

  @Test
  @Promise("S10")
  void morePermitsThanThereAreAreRefused() throws InterruptedException {
    DistributedSemaphore semaphore = semaphore(3);
    assertThatThrownBy(() -> semaphore.acquire(4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3");
    assertThatThrownBy(() -> semaphore.tryAcquire(4)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Worker.outcome(semaphore.acquireAsync(4)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> semaphore.acquire(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> semaphore.tryAcquire(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> client().semaphore(NAME, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> client().semaphore("", 1))
        .isInstanceOf(IllegalArgumentException.class);
    semaphore.setPermits(4);
    semaphore.acquire(4).release();
    Worker.outcome(semaphore.acquireAsync(4)).release();
    semaphore.resetPermits();
  }
}
