package io.lockkeeper.bench.locks;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;

/** The JDK's locks by name, within this process. */
final class JdkLockClient implements LockClient {

  private final ConcurrentMap<String, ReentrantLock> locks = new ConcurrentHashMap<>();

  @Override
  public ContestedLock lock(Contender contender, String name) {
    return new JavaLock(locks.computeIfAbsent(name, key -> new ReentrantLock()));
  }

  @Override
  public void close() {
    locks.clear();
  }
}
