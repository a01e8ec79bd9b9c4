package io.lockkeeper.bench.peers;

import io.lockkeeper.lab.load.Subject;
import java.net.URI;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * A Redis registry of Spring Integration, which renews its locks. It does not tell a holder whether
 * it still holds; so a holder looks whether the server has what it had when the lock was obtained.
 */
final class SpringRedisSubject implements Subject {

  private final LettuceConnectionFactory connections;
  private final ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
  private final RedisLockRegistry registry;
  private final StringRedisTemplate redis;
  private final String namespace;

  SpringRedisSubject(String url, String namespace, Duration lease) {
    URI uri = URI.create(url);
    this.namespace = namespace;
    this.connections = new LettuceConnectionFactory(uri.getHost(), uri.getPort());
    connections.afterPropertiesSet();
    connections.start();
    scheduler.setDaemon(true);
    scheduler.initialize();
    this.redis = new StringRedisTemplate(connections);
    this.registry = new RedisLockRegistry(connections, namespace, lease);
    registry.setRenewalTaskScheduler(scheduler);
    registry.setRedisLockType(RedisLockRegistry.RedisLockType.PUB_SUB_LOCK);
  }

  @Override
  public Optional<Holding> acquire(
      String resource, String mode, int permits, int limit, Duration wait)
      throws InterruptedException {
    Lock lock = registry.obtain(resource);
    if (!lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS)) {
      return Optional.empty();
    }
    String key = namespace + ":" + resource;
    String mark = at(key);
    return Optional.of(
        PeerHolding.of(() -> mark != null && mark.equals(at(key)), () -> release(lock)));
  }

  private @Nullable String at(String key) {
    try {
      return redis.opsForValue().get(key);
    } catch (DataAccessException e) {
      return null;
    }
  }

  @Override
  public void close() {
    registry.destroy();
    scheduler.shutdown();
    connections.destroy();
  }

  private static boolean release(Lock lock) {
    try {
      lock.unlock();
      return true;
    } catch (IllegalStateException | ConcurrentModificationException | DataAccessException e) {
      return false;
    }
  }
}
