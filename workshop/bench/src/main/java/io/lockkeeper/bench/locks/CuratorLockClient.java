package io.lockkeeper.bench.locks;

import java.net.URI;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** A Curator client; one object per name, as its documentation asks for. */
final class CuratorLockClient implements LockClient {

  private static final int RETRY_MILLIS = 100;
  private static final int RETRIES = 3;

  private final CuratorFramework curator;
  private final ConcurrentMap<String, InterProcessMutex> mutexes = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, InterProcessReadWriteLock> pairs = new ConcurrentHashMap<>();
  private final ConcurrentMap<String, InterProcessSemaphoreV2> semaphores =
      new ConcurrentHashMap<>();

  CuratorLockClient(String url) {
    curator =
        CuratorFrameworkFactory.newClient(
            URI.create(url).getAuthority(), new ExponentialBackoffRetry(RETRY_MILLIS, RETRIES));
    curator.start();
  }

  @Override
  public ContestedLock lock(Contender contender, String name) {
    String path = "/curator/" + name;
    return switch (contender) {
      case CURATOR_MUTEX ->
          mutex(mutexes.computeIfAbsent(path, key -> new InterProcessMutex(curator, key)));
      case CURATOR_READ -> mutex(pair(path).readLock());
      case CURATOR_WRITE -> mutex(pair(path).writeLock());
      case CURATOR_SEMAPHORE -> permit(path);
      default -> throw new IllegalArgumentException(contender + " is not Curator's");
    };
  }

  private InterProcessReadWriteLock pair(String path) {
    return pairs.computeIfAbsent(path, key -> new InterProcessReadWriteLock(curator, key));
  }

  private ContestedLock permit(String path) {
    InterProcessSemaphoreV2 semaphore =
        semaphores.computeIfAbsent(
            path, key -> new InterProcessSemaphoreV2(curator, key, Sort.PERMITS));
    return ContestedLock.<Lease>ofPermit(semaphore::acquire, semaphore::returnLease);
  }

  private static ContestedLock mutex(InterProcessMutex mutex) {
    return new ContestedLock(mutex::acquire, mutex::release);
  }

  @Override
  public void close() {
    curator.close();
  }
}
