package io.lockkeeper.bench.locks;

import java.net.URI;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;

/** Spring Integration's registry of locks in Redis; by default it asks again every 100 ms. */
final class SpringRedisLockClient implements LockClient {

  private final LettuceConnectionFactory connections;
  private final RedisLockRegistry registry;

  SpringRedisLockClient(String url) {
    URI uri = URI.create(url);
    connections = new LettuceConnectionFactory(uri.getHost(), uri.getPort());
    connections.afterPropertiesSet();
    connections.start();
    registry = new RedisLockRegistry(connections, "spring");
  }

  @Override
  public ContestedLock lock(Contender contender, String name) {
    return new JavaLock(registry.obtain(name));
  }

  @Override
  public void close() {
    registry.destroy();
    connections.destroy();
  }
}
