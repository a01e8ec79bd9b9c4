package io.lockkeeper.bench.locks;

import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RCountDownLatch;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A Redisson client with its default settings. */
final class RedissonLockClient implements LockClient {

  private static final long QUIET_SECONDS = 0;
  private static final long CLOSE_LIMIT_SECONDS = 5;
  private static final long PERMIT_LEASE_SECONDS = 30;

  private final RedissonClient redisson;

  RedissonLockClient(String redisUrl) {
    Config config = new Config();
    config.useSingleServer().setAddress(redisUrl);
    redisson = Redisson.create(config);
  }

  @Override
  public ContestedLock lock(Contender contender, String name) {
    return switch (contender) {
      case REDISSON_LOCK -> ContestedLock.of(redisson.getLock(name));
      case REDISSON_FAIR -> ContestedLock.of(redisson.getFairLock(name));
      case REDISSON_READ -> ContestedLock.of(redisson.getReadWriteLock(name).readLock());
      case REDISSON_WRITE -> ContestedLock.of(redisson.getReadWriteLock(name).writeLock());
      case REDISSON_SEMAPHORE -> permit(redisson.getSemaphore(name));
      case REDISSON_EXPIRABLE -> permit(redisson.getPermitExpirableSemaphore(name));
      case REDISSON_COUNTER -> ContestedLock.ofDeed(redisson.getAtomicLong(name)::incrementAndGet);
      case REDISSON_LATCH -> latch(redisson.getCountDownLatch(name));
      case REDISSON_MULTI -> multi(name);
      default -> throw new IllegalArgumentException(contender + " is not Redisson's");
    };
  }

  private static ContestedLock permit(RSemaphore semaphore) {
    semaphore.trySetPermits(Sort.PERMITS);
    return new ContestedLock(semaphore::acquire, semaphore::release);
  }

  private static ContestedLock permit(RPermitExpirableSemaphore semaphore) {
    semaphore.trySetPermits(Sort.PERMITS);
    return ContestedLock.<String>ofPermit(
        () -> semaphore.acquire(PERMIT_LEASE_SECONDS, TimeUnit.SECONDS), semaphore::release);
  }

  /** It removes itself when it opens. */
  private static ContestedLock latch(RCountDownLatch latch) {
    return ContestedLock.ofDeed(
        () -> {
          latch.trySetCount(1);
          latch.countDown();
          latch.await();
        });
  }

  private ContestedLock multi(String name) {
    RLock[] members = new RLock[Sort.MEMBERS];
    for (int i = 0; i < members.length; i++) {
      members[i] = redisson.getLock(name + ":" + i);
    }
    return ContestedLock.of(redisson.getMultiLock(members));
  }

  @Override
  public void close() {
    redisson.shutdown(QUIET_SECONDS, CLOSE_LIMIT_SECONDS, TimeUnit.SECONDS);
  }
}
