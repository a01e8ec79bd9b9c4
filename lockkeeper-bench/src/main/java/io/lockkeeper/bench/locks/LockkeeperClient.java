package io.lockkeeper.bench.locks;

import io.lockkeeper.DistributedCounter;
import io.lockkeeper.DistributedSemaphore;
import io.lockkeeper.LockOptions;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.PermitLease;
import java.time.Duration;

/** A Lockkeeper client on Redis. */
final class LockkeeperClient implements LockClient {

  private static final LockOptions IDLE =
      LockOptions.defaults().withIdleLease(Duration.ofSeconds(10));

  private final Lockkeeper keeper;

  LockkeeperClient(String redisUrl) {
    keeper = Lockkeeper.connect(redisUrl);
  }

  @Override
  public ContestedLock lock(Contender contender, String name) {
    return switch (contender) {
      case LOCKKEEPER_LOCK -> new JavaLock(keeper.lock(name));
      case LOCKKEEPER_FAIR -> new JavaLock(keeper.fairLock(name));
      case LOCKKEEPER_IDLE -> new JavaLock(keeper.lock(name, IDLE));
      case LOCKKEEPER_READ -> new JavaLock(keeper.readWriteLock(name).readLock());
      case LOCKKEEPER_WRITE -> new JavaLock(keeper.readWriteLock(name).writeLock());
      case LOCKKEEPER_SEMAPHORE -> permit(keeper.semaphore(name, Sort.PERMITS));
      case LOCKKEEPER_COUNTER -> increment(keeper.counter(name));
      default -> throw new IllegalArgumentException(contender + " is not Lockkeeper's");
    };
  }

  private static ContestedLock permit(DistributedSemaphore semaphore) {
    return new Permit<PermitLease>(semaphore::acquire, PermitLease::release);
  }

  private static ContestedLock increment(DistributedCounter counter) {
    return new Increment(counter::incrementAndGet);
  }

  @Override
  public void close() {
    keeper.close();
  }
}
