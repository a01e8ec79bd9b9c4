package io.lockkeeper.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedReadWriteLock;
import io.lockkeeper.Lease;
import io.lockkeeper.LeaseLost;
import io.lockkeeper.LeaseLostException;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ReadWriteOptions;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.ResourceId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Chapter "Read-write locks".
 *
 * <p>This file is long because a chapter has all tests of its promises.
 */
public abstract class ReadWriteTck extends TckBase {

  private static final ResourceId RESOURCE = new ResourceId(ResourceKind.READ_WRITE_LOCK, NAME);
  private static final Duration SHORT = Delays.millis(600);

  private DistributedReadWriteLock rw() {
    return client().readWriteLock(NAME);
  }

  private DistributedReadWriteLock shortLived() {
    return client().readWriteLock(NAME, ReadWriteOptions.defaults().withLease(KEPT));
  }

  // ------------------------------------------------------------- which holds exclude each other

  @Test
  @Promise({"RW1", "RW8"})
  void readersShareAndWritersExclude() {
    List<DistributedReadWriteLock> locks = IntStream.range(0, 8).mapToObj(i -> rw()).toList();
    AtomicInteger readers = new AtomicInteger();
    AtomicInteger writers = new AtomicInteger();
    AtomicInteger mostReaders = new AtomicInteger();
    AtomicLong written = new AtomicLong();
    long seed = System.nanoTime();
    System.out.println("readersShareAndWritersExclude: seed " + seed);

    together(
        8,
        i -> {
          Random random = new Random(seed + i);
          for (int round = 0; round < Rounds.of(100); round++) {
            if (random.nextInt(4) == 0) {
              DistributedLock lock = locks.get(i).writeLock();
              lock.lock();
              assertThat(writers.incrementAndGet()).isEqualTo(1);
              assertThat(readers.get()).isZero();
              assertThat(lock.token()).isGreaterThan(written.getAndSet(lock.token()));
              writers.decrementAndGet();
              lock.unlock();
            } else {
              DistributedLock lock = locks.get(i).readLock();
              lock.lock();
              mostReaders.accumulateAndGet(readers.incrementAndGet(), Math::max);
              assertThat(writers.get()).isZero();
              assertThat(lock.token()).isGreaterThan(written.get());
              LockSupport.parkNanos(1_000_000);
              readers.decrementAndGet();
              lock.unlock();
            }
          }
        });

    assertThat(mostReaders.get()).isGreaterThan(1);
  }

  @Test
  @Promise("RW1")
  void anotherThreadDoesNotReadWhileOneWrites() {
    DistributedReadWriteLock lock = rw();
    DistributedReadWriteLock elsewhere = rw();
    lock.writeLock().lock();

    assertThat(worker().call(() -> lock.readLock().tryLock())).isFalse();
    assertThat(worker().call(() -> elsewhere.readLock().tryLock())).isFalse();
    assertThat(worker().call(() -> elsewhere.writeLock().tryLock(20, TimeUnit.MILLISECONDS)))
        .isFalse();

    lock.writeLock().unlock();
    awaitFree(RESOURCE);
  }

  @Test
  @Promise("RW1")
  void eachSideSaysWhetherItIsLocked() {
    DistributedReadWriteLock lock = rw();
    DistributedReadWriteLock elsewhere = rw();
    lock.readLock().lock();
    assertThat(elsewhere.readLock().isLocked()).isTrue();
    assertThat(elsewhere.writeLock().isLocked()).isFalse();
    lock.readLock().unlock();
    lock.writeLock().lock();
    assertThat(elsewhere.readLock().isLocked()).isFalse();
    assertThat(elsewhere.writeLock().isLocked()).isTrue();
    Lease lease = lock.writeLock().heldLease();
    assertThat(elsewhere.writeLock().forceUnlock()).isTrue();
    eventually().until(() -> !lease.isValid());
    assertThatThrownBy(() -> lock.writeLock().unlock()).isInstanceOf(LeaseLostException.class);
  }

  @Test
  @Promise("RW1")
  void aReadWriteLockAndALockOfOneNameAreTwoThings() {
    Lockkeeper keeper = client();
    keeper.readWriteLock(NAME).writeLock().lock();
    assertThat(keeper.lock(NAME).tryLock()).isTrue();
    keeper.lock(NAME).unlock();
    keeper.readWriteLock(NAME).writeLock().unlock();
  }

  // ------------------------------------------------------------- order

  @Test
  @Promise("RW2")
  void aWriterAmongLoopingReadersGetsInWithinTwoRounds() {
    List<DistributedReadWriteLock> locks = List.of(rw(), rw(), rw(), rw());
    AtomicIntegerArray rounds = new AtomicIntegerArray(32);
    AtomicBoolean over = new AtomicBoolean();
    List<Future<Boolean>> readers = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      int reader = i;
      DistributedLock lock = locks.get(i % 4).readLock();
      readers.add(
          worker()
              .begin(
                  () -> {
                    while (!over.get()) {
                      lock.lock();
                      rounds.incrementAndGet(reader);
                      hold(50);
                      lock.unlock();
                    }
                  }));
    }
    eventually().until(() -> IntStream.range(0, 32).allMatch(i -> rounds.get(i) > 0));
    DistributedLock writing = rw().writeLock();
    Worker writer = worker();

    for (int time = 0; time < 3; time++) {
      Future<int[]> in =
          writer.start(
              () -> {
                writing.lock();
                return snapshot(rounds);
              });
      eventually().until(() -> inspect(RESOURCE).waiting() > 0 || in.isDone());
      int[] before = snapshot(rounds);
      int[] after = Worker.get(in);
      writer.run(writing::unlock);
      for (int i = 0; i < 32; i++) {
        assertThat(after[i] - before[i]).as("rounds of reader " + i).isLessThanOrEqualTo(2);
      }
    }

    over.set(true);
    readers.forEach(Worker::get);
  }

  private static int[] snapshot(AtomicIntegerArray array) {
    return IntStream.range(0, array.length()).map(array::get).toArray();
  }

  private static void hold(long millis) {
    long end = System.nanoTime() + Delays.millis(millis).toNanos();
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
  }

  @Test
  @Promise("RW2")
  void twentyReadersBehindAWriterAreLetInTogether() {
    DistributedReadWriteLock written = rw();
    DistributedReadWriteLock read = rw();
    written.writeLock().lock();
    AtomicInteger inside = new AtomicInteger();
    AtomicBoolean over = new AtomicBoolean();
    List<Future<Boolean>> readers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      readers.add(
          worker()
              .begin(
                  () -> {
                    read.readLock().lock();
                    inside.incrementAndGet();
                    eventually().until(over::get);
                    read.readLock().unlock();
                  }));
    }
    awaitWaiting(RESOURCE, 20);

    written.writeLock().unlock();

    eventually().until(() -> inside.get() == 20);
    over.set(true);
    readers.forEach(Worker::get);
  }

  @Test
  @Promise("RW2")
  void readersBehindAWaitingWriterWaitAndThoseInFrontDoNot() {
    DistributedReadWriteLock first = rw();
    DistributedReadWriteLock second = rw();
    List<String> order = new ArrayList<>();
    first.readLock().lock();
    Worker writer = worker();
    Future<Boolean> wrote =
        writer.begin(
            () -> {
              second.writeLock().lock();
              order.add("writer"); // plain on purpose: the locks order it
              second.writeLock().unlock();
            });
    awaitWaiting(RESOURCE, 1);
    assertThat(worker().call(() -> first.readLock().tryLock())).isFalse();
    Future<Boolean> read =
        worker()
            .begin(
                () -> {
                  first.readLock().lock();
                  order.add("reader");
                  first.readLock().unlock();
                });
    awaitWaiting(RESOURCE, 2);

    first.readLock().unlock();

    Worker.get(wrote);
    Worker.get(read);
    assertThat(order).containsExactly("writer", "reader");
  }

  @Test
  @Promise("RW3")
  void preferredReadersPassAWaitingWriter() {
    ReadWriteOptions readersFirst = ReadWriteOptions.defaults().withReadersPreferred();
    DistributedReadWriteLock lock = client().readWriteLock(NAME, readersFirst);
    lock.readLock().lock();
    Worker writer = worker();
    Future<Boolean> wrote = writer.begin(lock.writeLock()::lock);
    awaitWaiting(RESOURCE, 1);

    Worker reader = worker();
    assertThat(reader.call(() -> lock.readLock().tryLock())).isTrue();
    lock.readLock().unlock();
    assertThat(wrote).isNotDone();
    reader.run(lock.readLock()::unlock);

    Worker.get(wrote);
    writer.run(lock.writeLock()::unlock);
  }

  // ------------------------------------------------------------- re-entry

  @Test
  @Promise("RW4")
  void bothSidesAreReEntrantAndCountApart() {
    DistributedReadWriteLock lock = rw();
    lock.writeLock().lock();
    lock.writeLock().lock();
    lock.readLock().lock();
    assertThat(lock.writeLock().getHoldCount()).isEqualTo(2);
    assertThat(lock.readLock().getHoldCount()).isEqualTo(1);
    lock.readLock().unlock();
    assertThat(lock.readLock().isHeldByCurrentThread()).isFalse();
    assertThatThrownBy(() -> lock.readLock().unlock())
        .isInstanceOf(IllegalMonitorStateException.class);
    lock.writeLock().unlock();
    assertThat(lock.writeLock().isHeldByCurrentThread()).isTrue();
    lock.writeLock().unlock();
    assertThatThrownBy(() -> lock.writeLock().unlock())
        .isInstanceOf(IllegalMonitorStateException.class);
    awaitFree(RESOURCE);
  }

  @Test
  @Promise("RW4")
  void aReaderReadsAgainAlthoughAWriterWaits() {
    DistributedReadWriteLock lock = rw();
    DistributedReadWriteLock same = lock;
    lock.readLock().lock();
    Worker writer = worker();
    Future<Boolean> wrote = writer.begin(same.writeLock()::lock);
    awaitWaiting(RESOURCE, 1);

    lock.readLock().lock();
    assertThat(lock.readLock().tryLock()).isTrue();
    assertThat(lock.readLock().getHoldCount()).isEqualTo(3);
    for (int i = 0; i < 3; i++) {
      assertThat(wrote).isNotDone();
      lock.readLock().unlock();
    }

    Worker.get(wrote);
    writer.run(same.writeLock()::unlock);
  }

  @Test
  @Promise("RW4")
  void reEntryCostsNothingAtTheStoreAndGoesByName() {
    Faults faults = faults();
    Lockkeeper keeper = client(faults);
    keeper.readWriteLock(NAME).writeLock().lock();
    long token = keeper.readWriteLock(NAME).writeLock().token();
    faults.refuse();
    long before = faults.requests();

    keeper.readWriteLock(NAME).writeLock().lock();
    keeper.readWriteLock(NAME).readLock().lock();
    assertThat(keeper.readWriteLock(NAME).readLock().token()).isEqualTo(token);
    keeper.readWriteLock(NAME).readLock().unlock();
    keeper.readWriteLock(NAME).writeLock().unlock();

    assertThat(faults.requests()).isEqualTo(before);
    faults.heal();
    keeper.readWriteLock(NAME).writeLock().unlock();
  }

  @Test
  @Promise("RW4")
  void aLeaseOfOneSideDoesNotReEnterTheOther() {
    DistributedReadWriteLock lock = rw();
    lock.writeLock().lock();
    assertThatThrownBy(() -> lock.readLock().acquire()).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> lock.writeLock().acquire()).isInstanceOf(IllegalStateException.class);
    lock.writeLock().unlock();
  }

  // ------------------------------------------------------------- tokens

  @Test
  @Promise({"RW8", "T1", "R6"})
  void tokensGrowFromHoldToHoldWhicheverOfThemIsAskedForItsOwn() {
    DistributedReadWriteLock lock = rw();
    long seen = 0;
    for (int round = 0; round < Rounds.of(300); round++) {
      DistributedLock side = round % 5 == 0 ? lock.readLock() : lock.writeLock();
      side.lock();
      if (round % 3 == 0 || round % 7 == 0) {
        long token = side.token();
        assertThat(token).as("round %d", round).isGreaterThan(seen);
        seen = token;
      }
      side.unlock();
    }
  }

  // ------------------------------------------------------------- from writing to reading

  @Test
  @Promise({"RW5", "RW8"})
  void unlockingWriteWhileReadingLetsReadersInAtOnceAndKeepsWritersOut() {
    DistributedReadWriteLock lock = rw();
    DistributedReadWriteLock elsewhere = rw();
    lock.writeLock().lock();
    long token = lock.writeLock().token();
    Worker reader = worker();
    Future<Boolean> read = reader.begin(elsewhere.readLock()::lock);
    awaitWaiting(RESOURCE, 1);

    lock.readLock().lock();
    lock.writeLock().unlock();

    Worker.get(read);
    assertThat(lock.readLock().token()).isEqualTo(token);
    assertThat(reader.call(() -> elsewhere.readLock().token())).isGreaterThan(token);
    assertThat(lock.writeLock().isHeldByCurrentThread()).isFalse();
    assertThat(worker().call(() -> elsewhere.writeLock().tryLock())).isFalse();
    Worker writer = worker();
    Future<Boolean> wrote = writer.begin(elsewhere.writeLock()::lock);
    awaitWaiting(RESOURCE, 1);
    reader.run(elsewhere.readLock()::unlock);
    pass(Delays.millis(50));
    assertThat(wrote).isNotDone();
    lock.readLock().unlock();
    Worker.get(wrote);
    writer.run(elsewhere.writeLock()::unlock);
  }

  @Test
  @Promise("RW5")
  void goingOnAsAReaderIsTheMatterOfOneThread() {
    DistributedReadWriteLock lock = rw();
    lock.writeLock().lock();
    lock.readLock().lock();
    lock.writeLock().unlock();

    assertThat(worker().call(() -> lock.writeLock().tryLock())).isFalse();
    Worker other = worker();
    eventually().until(() -> other.call(() -> lock.readLock().tryLock()));
    other.run(lock.readLock()::unlock);

    lock.readLock().unlock();
    awaitFree(RESOURCE);
  }

  @Test
  @Promise("RW5")
  void theStoreHearsOfTheChangeAlthoughItCouldNotBeReached() {
    Faults faults = faults();
    DistributedReadWriteLock lock = client(faults).readWriteLock(NAME);
    DistributedReadWriteLock elsewhere = rw();
    lock.writeLock().lock();
    lock.readLock().lock();
    faults.refuse();

    lock.writeLock().unlock();

    assertThat(worker().call(() -> elsewhere.readLock().tryLock())).isFalse();
    faults.heal();
    Worker reader = worker();
    reader.run(elsewhere.readLock()::lock);
    reader.run(elsewhere.readLock()::unlock);
    lock.readLock().unlock();
  }

  @Test
  @Promise("RW5")
  void aReplyLostOnTheWayFromWritingToReadingDoesNoHarm() {
    Faults faults = faults();
    DistributedReadWriteLock lock = client(faults).readWriteLock(NAME);
    DistributedReadWriteLock elsewhere = rw();
    lock.writeLock().lock();
    lock.readLock().lock();
    faults.loseReplies(1);

    lock.writeLock().unlock();

    Worker reader = worker();
    reader.run(elsewhere.readLock()::lock);
    reader.run(elsewhere.readLock()::unlock);
    assertThat(lock.readLock().isHeldByCurrentThread()).isTrue();
    lock.readLock().unlock();
    awaitFree(RESOURCE);
  }

  // ------------------------------------------------------------- not from reading to writing

  @Test
  @Promise("RW5")
  void whatAWriterGivesUpIsFreeForTheNextRequest() {
    DistributedReadWriteLock lock = client().readWriteLock(NAME);
    Worker other = worker();
    for (int i = 0; i < Rounds.of(200); i++) {
      lock.writeLock().lock();
      lock.readLock().lock();
      lock.writeLock().unlock();
      assertThat(lock.writeLock().isLocked()).as("round %d", i).isFalse();
      assertThat(other.call(() -> lock.readLock().tryLock())).as("round %d", i).isTrue();
      other.run(lock.readLock()::unlock);
      lock.readLock().unlock();
    }
  }

  @Test
  @Promise("RW6")
  void aReaderThatWantsToWriteIsRefusedInsteadOfWaitingForItself() {
    DistributedReadWriteLock lock = rw();
    lock.readLock().lock();

    assertThatThrownBy(() -> lock.writeLock().lock())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("read lock");
    assertThatThrownBy(() -> lock.writeLock().lockInterruptibly())
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> lock.writeLock().tryLock(1, TimeUnit.HOURS))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> lock.writeLock().lock(fixed(Duration.ofSeconds(1))))
        .isInstanceOf(IllegalStateException.class);
    assertThat(lock.writeLock().tryLock()).isFalse();
    assertThat(duration(() -> lock.writeLock().tryLock(0, TimeUnit.SECONDS)))
        .isLessThan(Delays.patience());
    assertThatThrownBy(() -> lock.writeLock().unlock())
        .isInstanceOf(IllegalMonitorStateException.class);

    assertThat(lock.readLock().getHoldCount()).isEqualTo(1);
    assertThat(inspect(RESOURCE).waiting()).isZero();
    lock.readLock().unlock();
    lock.writeLock().lock();
    lock.writeLock().unlock();
  }

  // ------------------------------------------------------------- leases

  @Test
  @Promise("RW7")
  void aDeadReaderKeepsAWriterOutNoLongerThanItsLease() {
    Faults dying = faults();
    DistributedReadWriteLock dead =
        client(dying).readWriteLock(NAME, ReadWriteOptions.defaults().withLease(SHORT));
    DistributedReadWriteLock alive = shortLived();
    dead.readLock().lock();
    Worker reader = worker();
    reader.run(alive.readLock()::lock);
    dying.kill();
    Worker writer = worker();
    Future<Boolean> wrote = writer.begin(alive.writeLock()::lock);
    awaitWaiting(RESOURCE, 1);

    eventually().until(() -> inspect(RESOURCE).holders().size() == 1);
    reader.run(alive.readLock()::unlock);

    Worker.get(wrote);
    writer.run(alive.writeLock()::unlock);
  }

  @Test
  @Promise("RW7")
  void aWriterWaitsForTheLongestOfSeveralReadersAndNoLonger() {
    DistributedReadWriteLock lock = rw();
    Worker first = worker();
    Worker second = worker();
    Duration longer = Delays.millis(1_000);
    DistributedLock writing = rw().writeLock();

    Duration waited = // from before the leases begin, however long that takes
        duration(
            () -> {
              first.run(() -> lock.readLock().lock(fixed(longer)));
              second.run(() -> lock.readLock().lock(fixed(Delays.millis(300))));
              writing.lock();
              return true;
            });

    assertThat(waited).isGreaterThan(Delays.millis(900)).isLessThan(Delays.patience());
    writing.unlock();
    assertThatThrownBy(() -> first.run(lock.readLock()::unlock))
        .isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(() -> second.run(lock.readLock()::unlock))
        .isInstanceOf(LeaseLostException.class);
  }

  @Test
  @Promise({"RW7", "RW9"})
  void fiftyReadersOutliveTheirLeaseAndUnlockCleanly() {
    DistributedReadWriteLock lock = shortLived();
    List<Worker> readers = IntStream.range(0, 50).mapToObj(i -> worker()).toList();
    readers.forEach(reader -> reader.run(lock.readLock()::lock));

    outlive(KEPT);

    readers.forEach(
        reader -> {
          assertThat(reader.call(() -> lock.readLock().isHeldByCurrentThread())).isTrue();
          reader.run(lock.readLock()::unlock);
        });
    awaitFree(RESOURCE);
  }

  @Test
  @Promise("RW9")
  void aWriterThatHasReadMeanwhileIsStillRenewed() {
    DistributedReadWriteLock lock = shortLived();
    lock.writeLock().lock();
    lock.readLock().lock();
    lock.readLock().unlock();

    outlive(KEPT);

    assertThat(lock.writeLock().isHeldByCurrentThread()).isTrue();
    assertThat(worker().call(() -> lock.readLock().tryLock())).isFalse();
    lock.writeLock().unlock();
  }

  @Test
  @Promise({"RW5", "RW9"})
  void whoHasGoneOnAsAReaderIsStillRenewed() {
    DistributedReadWriteLock lock = shortLived();
    lock.writeLock().lock();
    lock.readLock().lock();
    lock.writeLock().unlock();

    outlive(KEPT);

    assertThat(lock.readLock().isHeldByCurrentThread()).isTrue();
    assertThat(worker().call(() -> lock.writeLock().tryLock())).isFalse();
    lock.readLock().unlock();
  }

  @Test
  @Promise("RW9")
  void aReaderThatHasDiedIsNotRenewed() {
    DistributedReadWriteLock lock = shortLived();
    Worker dying = worker();
    dying.run(lock.readLock()::lock);
    dying.die();

    lock.writeLock().lock();

    lock.writeLock().unlock();
  }

  @Test
  @Promise("RW10")
  void aLossIsToldToEachUnlockOfBothSides() {
    DistributedReadWriteLock lock = shortLived();
    lock.writeLock().lock();
    lock.readLock().lock();
    Lease lease = lock.readLock().heldLease();
    assertThat(rw().readLock().forceUnlock()).isTrue();
    assertLost(lease, LeaseLost.Reason.NOT_AT_STORE);
    assertThat(lock.writeLock().isHeldByCurrentThread()).isFalse();

    assertThatThrownBy(() -> lock.readLock().lock()).isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(() -> lock.writeLock().unlock()).isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(() -> lock.writeLock().unlock())
        .isInstanceOf(IllegalMonitorStateException.class);
    assertThatThrownBy(() -> lock.readLock().unlock()).isInstanceOf(LeaseLostException.class);

    lock.writeLock().lock();
    lock.writeLock().unlock();
  }

  @Test
  @Promise("RW4")
  void aThreadThatWritesAndReadsHasLockedBoth() {
    DistributedReadWriteLock lock = rw();
    lock.writeLock().lock();
    assertThat(lock.readLock().isLocked()).isFalse();
    lock.readLock().lock();
    assertThat(lock.readLock().isLocked()).isTrue();
    assertThat(lock.writeLock().isLocked()).isTrue();
    lock.writeLock().unlock();
    assertThat(lock.readLock().isLocked()).isTrue();
    assertThat(lock.writeLock().isLocked()).isFalse();
    lock.readLock().unlock();
  }

  @Test
  @Promise({"RW10", "L6"})
  void aThreadThatUnlocksNeitherSideAfterALossBeginsAnew() {
    DistributedReadWriteLock lock = shortLived();
    for (DistributedLock next : List.of(lock.readLock(), lock.writeLock())) {
      lock.writeLock().lock();
      lock.readLock().lock();
      Lease lease = lock.readLock().heldLease();
      assertThat(rw().readLock().forceUnlock()).isTrue();
      assertLost(lease, LeaseLost.Reason.NOT_AT_STORE);

      assertThatThrownBy(() -> next.tryLock()).isInstanceOf(LeaseLostException.class);
      next.lock();
      assertThat(lock.readLock().getHoldCount() + lock.writeLock().getHoldCount()).isEqualTo(1);
      next.unlock();
    }
  }

  @Test
  @ResourceLock(TckBase.MEMORY)
  @Promise("RW10")
  void theStoresLossOfMemoryIsToldToReadersAndWaitersGoOn() {
    DistributedReadWriteLock lock = shortLived();
    lock.readLock().lock();
    Lease lease = lock.readLock().heldLease();
    DistributedReadWriteLock waiting = shortLived();
    Worker writer = worker();
    Future<Boolean> wrote = writer.begin(waiting.writeLock()::lock);
    awaitWaiting(RESOURCE, 1);

    loseEverything();

    Worker.get(wrote);
    writer.run(waiting.writeLock()::unlock);
    eventually().until(() -> !lease.isValid());
    assertThatThrownBy(() -> lock.readLock().unlock()).isInstanceOf(LeaseLostException.class);
  }

  // ------------------------------------------------------------- waits

  @Test
  @Promise("RW11")
  void waitersThatHearNothingGetTheirTurn() {
    Faults deaf = faults();
    deaf.loseNotifications();
    DistributedReadWriteLock waiting = client(deaf).readWriteLock(NAME);
    DistributedReadWriteLock held = rw();
    held.writeLock().lock();
    List<Worker> readers = List.of(worker(), worker(), worker());
    List<Future<Boolean>> read =
        readers.stream().map(reader -> reader.begin(waiting.readLock()::lock)).toList();
    awaitWaiting(RESOURCE, 3);

    held.writeLock().unlock();

    read.forEach(Worker::get);
    readers.forEach(reader -> reader.run(waiting.readLock()::unlock));
  }

  @Test
  @Promise("RW11")
  void aWaitThatEndsLeavesNoPlace() {
    DistributedReadWriteLock held = rw();
    DistributedReadWriteLock waiting = rw();
    held.writeLock().lock();
    Worker interrupted = worker();
    Future<Boolean> one = interrupted.begin(waiting.writeLock()::lockInterruptibly);
    CompletableFuture<Lease> cancelled = waiting.readLock().acquireAsync().toCompletableFuture();
    awaitWaiting(RESOURCE, 2);
    CompletableFuture<Lease> timed =
        waiting
            .writeLock()
            .acquireAsync(AcquireOptions.defaults().withWait(Delays.millis(100)))
            .toCompletableFuture();

    interrupted.interrupt();
    cancelled.cancel(false);

    assertThatThrownBy(() -> Worker.get(one)).isInstanceOf(InterruptedException.class);
    assertThatThrownBy(() -> Worker.get(timed))
        .isInstanceOf(io.lockkeeper.AcquireTimeoutException.class);
    awaitWaiting(RESOURCE, 0);
    held.writeLock().unlock();
    awaitFree(RESOURCE);
  }

  @Test
  @Promise("RW11")
  void aWriterThatGivesUpLetsTheReadersBehindItIn() {
    DistributedReadWriteLock lock = rw();
    lock.readLock().lock();
    Worker writer = worker();
    Future<Boolean> wrote =
        writer.start(
            () -> lock.writeLock().tryLock(Delays.millis(1_500).toMillis(), TimeUnit.MILLISECONDS));
    awaitWaiting(RESOURCE, 1);
    Worker reader = worker();

    reader.run(lock.readLock()::lock);

    assertThat(Worker.get(wrote)).isFalse();
    reader.run(lock.readLock()::unlock);
    lock.readLock().unlock();
  }

  @Test
  @Promise("RW11")
  void closingTheClientEndsItsHoldsAndWaits() {
    Lockkeeper closing = client();
    DistributedReadWriteLock lock = closing.readWriteLock(NAME);
    Worker reader = worker();
    reader.run(lock.readLock()::lock);
    Worker writer = worker();
    Future<Boolean> wrote = writer.begin(lock.writeLock()::lock);
    awaitWaiting(RESOURCE, 1);

    closing.close();

    assertThatThrownBy(() -> Worker.get(wrote))
        .isInstanceOf(io.lockkeeper.LockkeeperClosedException.class);
    DistributedLock next = rw().writeLock();
    assertThat(next.tryLock()).isTrue();
    next.unlock();
  }
}
