package io.lockkeeper.bench;

import io.lockkeeper.lab.history.ResourceType;
import io.lockkeeper.lab.load.Subject;
import io.lockkeeper.lab.load.SubjectProvider;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Locks of others under {@code lockkeeper torture}, see {@code docs/faults.md}: Redisson's and
 * Spring Integration's on Redis, Curator's on ZooKeeper.
 */
public final class Peers implements SubjectProvider {

  private static final String CURATOR = "curator";
  private static final String SPRING = "spring-redis";
  private static final int SESSION_MILLIS = 4_000;
  private static final int CONNECTION_MILLIS = 3_000;
  private static final int RETRY_MILLIS = 100;
  private static final int RETRIES = 3;
  private static final long CLOSE_LIMIT_SECONDS = 3;

  /** Creates it; for the loader of services. */
  public Peers() {}

  @Override
  public Map<String, ResourceType> types() {
    return Map.of(
        "redisson-lock",
        ResourceType.LOCK,
        "redisson-fair",
        ResourceType.FAIR,
        "redisson-rw",
        ResourceType.RW,
        "redisson-semaphore",
        ResourceType.SEMAPHORE,
        CURATOR,
        ResourceType.LOCK,
        SPRING,
        ResourceType.LOCK);
  }

  @Override
  public Subject open(String name, String storeUrl, String namespace, Duration lease) {
    return switch (name) {
      case CURATOR -> curator(storeUrl, namespace);
      case SPRING -> spring(storeUrl, namespace, lease);
      default -> redisson(storeUrl, namespace, lease);
    };
  }

  /** Returns the holding of a thread by a product that only reports held or not held. */
  private static Subject.Holding holding(Callable<Boolean> isHeld, Callable<Boolean> releasing) {
    return new Subject.Holding(() -> orFalse(isHeld) ? 1 : 0, () -> orFalse(releasing));
  }

  /** Calls a product; an exception counts as false, because the lock may be lost. */
  private static boolean orFalse(Callable<Boolean> answer) {
    try {
      return answer.call();
    } catch (Exception e) {
      return false;
    }
  }

  private static boolean unlock(Lock lock) {
    lock.unlock();
    return true;
  }

  /** How a product's locks are acquired; most have no modes and no permits. */
  private interface Locker {
    Optional<Subject.Holding> acquire(
        String resource, String mode, int permits, int limit, Duration wait) throws Exception;
  }

  private record OfLocks(Locker locker, Runnable end) implements Subject {

    @Override
    public Optional<Holding> acquire(
        String resource, String mode, int permits, int limit, Duration wait)
        throws InterruptedException {
      try {
        return locker.acquire(resource, mode, permits, limit, wait);
      } catch (RuntimeException | InterruptedException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {
      end.run();
    }
  }

  /**
   * A Redisson client. Its watchdog has Lockkeeper's lease; a holder is asked to look at the server
   * before it believes that it holds, as only there it can be known.
   */
  private static Subject redisson(String url, String namespace, Duration lease) {
    Config config = new Config();
    config.setLockWatchdogTimeout(lease.toMillis());
    config.useSingleServer().setAddress(url);
    RedissonClient redisson = Redisson.create(config);
    return new OfLocks(
        (resource, mode, permits, limit, wait) -> {
          String name = namespace + ":" + resource;
          RReadWriteLock both = redisson.getReadWriteLock(name);
          ResourceType type = ResourceType.of(resource);
          if (type == ResourceType.SEMAPHORE) {
            return permits(redisson.getPermitExpirableSemaphore(name), permits, limit, wait, lease);
          }
          RLock lock =
              switch (type) {
                case FAIR -> redisson.getFairLock(name);
                case RW -> mode.equals("read") ? both.readLock() : both.writeLock();
                default -> redisson.getLock(name);
              };
          return lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS)
              ? Optional.of(holding(lock::isHeldByCurrentThread, () -> unlock(lock)))
              : Optional.empty();
        },
        () -> redisson.shutdown(0, CLOSE_LIMIT_SECONDS, TimeUnit.SECONDS));
  }

  /** Permits that expire: those of the other kind are lost for ever with their process. */
  private static Optional<Subject.Holding> permits(
      RPermitExpirableSemaphore semaphore, int permits, int limit, Duration wait, Duration lease)
      throws InterruptedException {
    semaphore.trySetPermits(limit);
    long end = System.nanoTime() + lease.toNanos();
    List<String> ids =
        semaphore.tryAcquire(permits, wait.toMillis(), lease.toMillis(), TimeUnit.MILLISECONDS);
    return ids == null || ids.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Subject.Holding(
                () -> end - System.nanoTime(), () -> semaphore.tryRelease(ids) == ids.size()));
  }

  /**
   * A Curator client with one mutex object per name. As its documentation asks for, a holder
   * believes in nothing any more once its connection was suspended or lost.
   */
  private static Subject curator(String url, String namespace) {
    CuratorFramework curator =
        CuratorFrameworkFactory.newClient(
            URI.create(url).getAuthority(),
            SESSION_MILLIS,
            CONNECTION_MILLIS,
            new ExponentialBackoffRetry(RETRY_MILLIS, RETRIES));
    AtomicLong interruptions = new AtomicLong();
    curator
        .getConnectionStateListenable()
        .addListener((client, state) -> interruptions.addAndGet(state.isConnected() ? 0 : 1));
    curator.start();
    ConcurrentMap<String, InterProcessMutex> mutexes = new ConcurrentHashMap<>();
    return new OfLocks(
        (resource, mode, permits, limit, wait) -> {
          InterProcessMutex mutex =
              mutexes.computeIfAbsent(
                  "/" + namespace + "/" + resource.replace('/', '-'),
                  path -> new InterProcessMutex(curator, path));
          long before = interruptions.get();
          return mutex.acquire(wait.toMillis(), TimeUnit.MILLISECONDS)
              ? Optional.of(
                  holding(
                      () -> interruptions.get() == before && mutex.isOwnedByCurrentThread(),
                      () -> {
                        mutex.release();
                        return true;
                      }))
              : Optional.empty();
        },
        curator::close);
  }

  /**
   * A Redis registry of Spring Integration, which renews its locks. It does not tell a holder
   * whether it still holds; so a holder looks whether the server has what it had when the lock was
   * obtained.
   */
  private static Subject spring(String url, String namespace, Duration lease) {
    URI uri = URI.create(url);
    LettuceConnectionFactory connections =
        new LettuceConnectionFactory(uri.getHost(), uri.getPort());
    connections.afterPropertiesSet();
    connections.start();
    ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
    scheduler.setDaemon(true);
    scheduler.initialize();
    StringRedisTemplate redis = new StringRedisTemplate(connections);
    RedisLockRegistry registry = new RedisLockRegistry(connections, namespace, lease);
    registry.setRenewalTaskScheduler(scheduler);
    registry.setRedisLockType(RedisLockRegistry.RedisLockType.PUB_SUB_LOCK);
    return new OfLocks(
        (resource, mode, permits, limit, wait) -> {
          Lock lock = registry.obtain(resource);
          if (!lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS)) {
            return Optional.empty();
          }
          String key = namespace + ":" + resource;
          AtomicReference<@Nullable String> mark = new AtomicReference<>();
          Callable<Boolean> isMarked =
              () -> {
                String found = redis.opsForValue().get(key);
                mark.compareAndSet(null, found);
                return found != null && found.equals(mark.get());
              };
          return Optional.of(holding(isMarked, () -> unlock(lock)));
        },
        () -> {
          registry.destroy();
          scheduler.shutdown();
          connections.destroy();
        });
  }
}
