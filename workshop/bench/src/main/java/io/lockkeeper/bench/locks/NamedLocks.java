package io.lockkeeper.bench.locks;

import com.zaxxer.hikari.HikariDataSource;
import java.net.URI;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** A client of a library that has locks of one kind: the JDK's, or Spring Integration's. */
record NamedLocks(Function<String, Lock> locks, Runnable end) implements LockClient {

  private static final String TABLE =
      "INT_LOCK (LOCK_KEY char(36) not null, REGION varchar(100) not null, CLIENT_ID char(36),"
          + " CREATED_DATE %1$s not null, EXPIRED_AFTER %1$s not null,"
          + " primary key (LOCK_KEY, REGION))";

  /** Returns the JDK's locks, within this process. */
  static NamedLocks ofJdk() {
    ConcurrentMap<String, ReentrantLock> all = new ConcurrentHashMap<>();
    return new NamedLocks(
        name -> all.computeIfAbsent(name, key -> new ReentrantLock()), all::clear);
  }

  /** Opens Spring Integration's registry of locks in a table. */
  static NamedLocks ofSpringOnSql(String url) {
    HikariDataSource pool = Databases.open(url, TABLE.formatted(Databases.moment(url)));
    DefaultLockRepository repository = new DefaultLockRepository(pool);
    repository.setTransactionManager(new JdbcTransactionManager(pool));
    repository.afterPropertiesSet();
    repository.afterSingletonsInstantiated();
    repository.start();
    JdbcLockRegistry registry = new JdbcLockRegistry(repository);
    return new NamedLocks(name -> registry.obtain(name), pool::close);
  }

  /** Opens its registry of locks in Redis; by default it asks again every 100 ms. */
  static NamedLocks ofSpringOnRedis(String url) {
    URI uri = URI.create(url);
    LettuceConnectionFactory connections =
        new LettuceConnectionFactory(uri.getHost(), uri.getPort());
    connections.afterPropertiesSet();
    connections.start();
    RedisLockRegistry registry = new RedisLockRegistry(connections, "spring");
    return new NamedLocks(
        name -> registry.obtain(name),
        () -> {
          registry.destroy();
          connections.destroy();
        });
  }

  @Override
  public ContestedLock lock(Contender contender, String name) {
    return ContestedLock.of(locks.apply(name));
  }

  @Override
  public void close() {
    end.run();
  }
}
