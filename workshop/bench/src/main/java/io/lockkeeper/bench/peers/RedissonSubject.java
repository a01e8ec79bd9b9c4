package io.lockkeeper.bench.peers;

import io.lockkeeper.lab.history.ResourceType;
import io.lockkeeper.lab.load.Subject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;
import org.redisson.config.Config;

/**
 * A Redisson client. Its watchdog has Lockkeeper's lease; a holder is asked to look at the server
 * before it believes that it holds, as only there it can be known.
 */
final class RedissonSubject implements Subject {

  private static final long CLOSE_LIMIT_SECONDS = 3;

  private final RedissonClient redisson;
  private final String namespace;
  private final long leaseMillis;

  RedissonSubject(String url, String namespace, Duration lease) {
    Config config = new Config();
    config.setLockWatchdogTimeout(lease.toMillis());
    config.useSingleServer().setAddress(url);
    this.redisson = Redisson.create(config);
    this.namespace = namespace;
    this.leaseMillis = lease.toMillis();
  }

  @Override
  public Optional<Holding> acquire(
      String resource, String mode, int permits, int limit, Duration wait)
      throws InterruptedException {
    String name = namespace + ":" + resource;
    if (ResourceType.of(resource) == ResourceType.SEMAPHORE) {
      return permits(name, permits, limit, wait);
    }
    RLock lock =
        switch (ResourceType.of(resource)) {
          case FAIR -> redisson.getFairLock(name);
          case RW ->
              mode.equals("read")
                  ? redisson.getReadWriteLock(name).readLock()
                  : redisson.getReadWriteLock(name).writeLock();
          default -> redisson.getLock(name);
        };
    return lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS)
        ? Optional.of(PeerHolding.of(() -> isHeld(lock), () -> release(lock)))
        : Optional.empty();
  }

  /** Permits that expire: those of the other kind are lost for ever with their process. */
  private Optional<Holding> permits(String name, int permits, int limit, Duration wait)
      throws InterruptedException {
    RPermitExpirableSemaphore semaphore = redisson.getPermitExpirableSemaphore(name);
    semaphore.trySetPermits(limit);
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(leaseMillis);
    List<String> ids =
        semaphore.tryAcquire(permits, wait.toMillis(), leaseMillis, TimeUnit.MILLISECONDS);
    return ids == null || ids.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new PeerHolding(
                () -> end - System.nanoTime(), () -> semaphore.tryRelease(ids) == ids.size()));
  }

  @Override
  public void close() {
    redisson.shutdown(0, CLOSE_LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  private static boolean isHeld(RLock lock) {
    try {
      return lock.isHeldByCurrentThread();
    } catch (RedisException e) {
      return false;
    }
  }

  private static boolean release(RLock lock) {
    try {
      lock.unlock();
      return true;
    } catch (IllegalMonitorStateException lost) {
      return false;
    }
  }
}
