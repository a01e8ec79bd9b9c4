package io.lockkeeper.bench.peers;

import io.lockkeeper.lab.load.Subject;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;

/**
 * A Curator client with one mutex object per name. As its documentation asks for, a holder believes
 * in nothing any more once its connection was suspended or lost.
 */
final class CuratorSubject implements Subject {

  private static final int SESSION_MILLIS = 4_000;
  private static final int CONNECTION_MILLIS = 3_000;
  private static final int RETRY_MILLIS = 100;
  private static final int RETRIES = 3;

  private final CuratorFramework curator;
  private final String namespace;
  private final ConcurrentMap<String, InterProcessMutex> mutexes = new ConcurrentHashMap<>();
  private final AtomicLong interruptions = new AtomicLong();

  CuratorSubject(String url, String namespace) {
    this.namespace = namespace;
    this.curator =
        CuratorFrameworkFactory.newClient(
            URI.create(url).getAuthority(),
            SESSION_MILLIS,
            CONNECTION_MILLIS,
            new ExponentialBackoffRetry(RETRY_MILLIS, RETRIES));
    curator
        .getConnectionStateListenable()
        .addListener(
            (client, state) -> {
              if (!state.isConnected()) {
                interruptions.incrementAndGet();
              }
            });
    curator.start();
  }

  @Override
  public Optional<Holding> acquire(
      String resource, String mode, int permits, int limit, Duration wait)
      throws InterruptedException {
    String path = "/" + namespace + "/" + resource.replace('/', '-');
    InterProcessMutex mutex =
        mutexes.computeIfAbsent(path, key -> new InterProcessMutex(curator, key));
    long before = interruptions.get();
    try {
      return mutex.acquire(wait.toMillis(), TimeUnit.MILLISECONDS)
          ? Optional.of(PeerHolding.of(() -> isHeld(mutex, before), () -> release(mutex)))
          : Optional.empty();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    curator.close();
  }

  private boolean isHeld(InterProcessMutex mutex, long interruptionsBefore) {
    return interruptions.get() == interruptionsBefore && mutex.isOwnedByCurrentThread();
  }

  private static boolean release(InterProcessMutex mutex) {
    try {
      mutex.release();
      return true;
    } catch (Exception e) {
      return false;
    }
  }
}
