package io.lockkeeper.bench.locks;

import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RAtomicLong;
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
      case REDISSON_LOCK -> new JavaLock(redisson.getLock(name));
      case REDISSON_FAIR -> new JavaLock(redisson.getFairLock(name));
      case REDISSON_READ -> new JavaLock(redisson.getReadWriteLock(name).readLock());
      case REDISSON_WRITE -> new JavaLock(redisson.getReadWriteLock(name).writeLock());
      case REDISSON_SEMAPHORE -> permit(redisson.getSemaphore(name));
      case REDISSON_EXPIRABLE -> permit(redisson.getPermitExpirableSemaphore(name));
      case REDISSON_COUNTER -> increment(redisson.getAtomicLong(name));
      case REDISSON_LATCH -> latch(redisson.getCountDownLatch(name));
      case REDISSON_MULTI -> multi(name);
      default -> throw new IllegalArgumentException(contender + " is not Redisson's");
    };
  }

  private static ContestedLock permit(RSemaphore semaphore) {
    semaphore.trySetPermits(Sort.PERMITS);
    return new Permit<RSemaphore>(
        () -> {
          semaphore.acquire();
          return semaphore;
        },
        RSemaphore::release);
  }

  private static ContestedLock permit(RPermitExpirableSemaphore semaphore) {
    semaphore.trySetPermits(Sort.PERMITS);
    return new Permit<String>(
        () -> semaphore.acquire(PERMIT_LEASE_SECONDS, TimeUnit.SECONDS), semaphore::release);
  }

  private static ContestedLock increment(RAtomicLong counter) {
    return new Deed(counter::incrementAndGet);
  }

  /** It removes itself when it opens. */
  private static ContestedLock latch(RCountDownLatch latch) {
    return new Deed(
        () -> {
          latch.trySetCount(1);
          latch.countDown();
          Waits.uninterrupted(latch::await);
        });
  }

  private ContestedLock multi(String name) {
    RLock[] members = new RLock[Sort.MEMBERS];
    for (int i = 0; i < members.length; i++) {
      members[i] = redisson.getLock(name + ":" + i);
    }
    return new JavaLock(redisson.getMultiLock(members));
  }

  @Override
  public void close() {
    redisson.shutdown(QUIET_SECONDS, CLOSE_LIMIT_SECONDS, TimeUnit.SECONDS);
  }
}
