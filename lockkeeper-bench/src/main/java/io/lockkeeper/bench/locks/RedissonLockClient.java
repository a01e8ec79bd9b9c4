package io.lockkeeper.bench.locks;

import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A Redisson client with its default settings. */
final class RedissonLockClient implements LockClient {

  private static final long QUIET_SECONDS = 0;
  private static final long CLOSE_LIMIT_SECONDS = 5;

  private final RedissonClient redisson;

  RedissonLockClient(String redisUrl) {
    Config config = new Config();
    config.useSingleServer().setAddress(redisUrl);
    redisson = Redisson.create(config);
  }

  @Override
  public ContestedLock lock(Contender contender, String name) {
    return new JavaLock(
        switch (contender) {
          case REDISSON_LOCK -> redisson.getLock(name);
          case REDISSON_FAIR -> redisson.getFairLock(name);
          case REDISSON_SPIN -> redisson.getSpinLock(name);
          case REDISSON_FENCED -> redisson.getFencedLock(name);
          case LOCKKEEPER_LOCK, LOCKKEEPER_FAIR, REENTRANT_LOCK ->
              throw new IllegalArgumentException(contender + " is not Redisson's");
        });
  }

  @Override
  public void close() {
    redisson.shutdown(QUIET_SECONDS, CLOSE_LIMIT_SECONDS, TimeUnit.SECONDS);
  }
}
