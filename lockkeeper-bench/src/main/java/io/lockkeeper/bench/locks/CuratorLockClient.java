package io.lockkeeper.bench.locks;

import java.net.URI;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** A Curator client; one mutex object per name, as its documentation asks for. */
final class CuratorLockClient implements LockClient {

  private static final int RETRY_MILLIS = 100;
  private static final int RETRIES = 3;

  private final CuratorFramework curator;
  private final ConcurrentMap<String, InterProcessMutex> mutexes = new ConcurrentHashMap<>();

  CuratorLockClient(String url) {
    curator =
        CuratorFrameworkFactory.newClient(
            URI.create(url).getAuthority(), new ExponentialBackoffRetry(RETRY_MILLIS, RETRIES));
    curator.start();
  }

  @Override
  public ContestedLock lock(Contender contender, String name) {
    return new Mutex(
        mutexes.computeIfAbsent(name, key -> new InterProcessMutex(curator, "/curator/" + key)));
  }

  @Override
  public void close() {
    curator.close();
  }

  private record Mutex(InterProcessMutex target) implements ContestedLock {

    @Override
    public void lock() {
      try {
        target.acquire();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void unlock() {
      try {
        target.release();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
