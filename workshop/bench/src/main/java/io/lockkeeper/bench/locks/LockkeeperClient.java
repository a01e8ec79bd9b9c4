package io.lockkeeper.bench.locks;

import io.lockkeeper.DistributedCountDownLatch;
import io.lockkeeper.DistributedLock;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.PermitLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A Lockkeeper client on Redis. */
final class LockkeeperClient implements LockClient {

  private static final LockOptions EACH = LockOptions.defaults().withMaxLocalHandoffs(0);
  private static final LockOptions IDLE =
      LockOptions.defaults().withRetention(Duration.ofSeconds(10));

  private final Lockkeeper keeper;

  LockkeeperClient(String url) {
    keeper = Lockkeeper.connect(url);
  }

  @Override
  public ContestedLock lock(Contender contender, String name) {
    return switch (contender) {
      case LOCKKEEPER_LOCK -> ContestedLock.of(keeper.lock(name));
      case LOCKKEEPER_FAIR -> ContestedLock.of(keeper.fairLock(name));
      case LOCKKEEPER_EACH -> ContestedLock.of(keeper.lock(name, EACH));
      case LOCKKEEPER_IDLE -> ContestedLock.of(keeper.lock(name, IDLE));
      case LOCKKEEPER_READ_EACH -> eachToTheStore(keeper.readWriteLock(name).readLock());
      case LOCKKEEPER_WRITE_EACH -> eachToTheStore(keeper.readWriteLock(name).writeLock());
      case LOCKKEEPER_SEMAPHORE_EACH -> permit(keeper.semaphore(name, Sort.PERMITS));
      case LOCKKEEPER_COUNTER -> ContestedLock.ofDeed(keeper.counter(name)::incrementAndGet);
      case LOCKKEEPER_LATCH -> latch(keeper.countDownLatch(name));
      case LOCKKEEPER_MULTI -> multi(name);
      default -> throw new IllegalArgumentException(contender + " is not Lockkeeper's");
    };
  }

  private static ContestedLock permit(DistributedSemaphore semaphore) {
    return ContestedLock.<PermitLease>ofPermit(
        semaphore::acquire,
        lease -> {
          lease.token();
          lease.release();
        });
  }

  /** A lock whose holds are asked for their tokens. */
  private static ContestedLock eachToTheStore(DistributedLock target) {
    return new ContestedLock(
        target::lock,
        () -> {
          target.token();
          target.unlock();
        });
  }

  private static ContestedLock latch(DistributedCountDownLatch latch) {
    return ContestedLock.ofDeed(
        () -> {
          latch.trySetCount(1);
          latch.countDown();
          latch.await();
          latch.delete();
        });
  }

  private ContestedLock multi(String name) {
    List<DistributedLock> members = new ArrayList<>();
    for (int i = 0; i < Sort.MEMBERS; i++) {
      members.add(keeper.lock(name + ":" + i));
    }
    return ContestedLock.of(Lockkeeper.multiLock(members));
  }

  @Override
  public void close() {
    keeper.close();
  }
}
