package io.lockkeeper.bench.locks;

import io.lockkeeper.Lockkeeper;
import java.util.concurrent.locks.Lock;

/** A Lockkeeper client on Redis. */
final class LockkeeperClient implements LockClient {

  private final Lockkeeper keeper;

  LockkeeperClient(String redisUrl) {
    keeper = Lockkeeper.connect(redisUrl);
  }

  @Override
  public ContestedLock lock(Contender contender, String name) {
    Lock lock =
        switch (contender) {
          case LOCKKEEPER_LOCK -> keeper.lock(name);
          case LOCKKEEPER_FAIR -> keeper.fairLock(name);
          case REDISSON_LOCK, REDISSON_FAIR, REDISSON_SPIN, REDISSON_FENCED, REENTRANT_LOCK ->
              throw new IllegalArgumentException(contender + " is not Lockkeeper's");
        };
    return new JavaLock(lock);
  }

  @Override
  public void close() {
    keeper.close();
  }
}
