package io.lockkeeper.bench.locks;

import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Spring Integration's registry of locks in a table. */
final class SpringLockClient implements LockClient {

  private static final String TABLE =
      "INT_LOCK (LOCK_KEY char(36) not null, REGION varchar(100) not null, CLIENT_ID char(36),"
          + " CREATED_DATE %1$s not null, EXPIRED_AFTER %1$s not null,"
          + " primary key (LOCK_KEY, REGION))";

  private final HikariDataSource pool;
  private final JdbcLockRegistry registry;

  SpringLockClient(String url) {
    pool = Databases.open(url, TABLE.formatted(Databases.moment(url)));
    DefaultLockRepository repository = new DefaultLockRepository(pool);
    repository.setTransactionManager(new JdbcTransactionManager(pool));
    repository.afterPropertiesSet();
    repository.afterSingletonsInstantiated();
    repository.start();
    registry = new JdbcLockRegistry(repository);
  }

  @Override
  public ContestedLock lock(Contender contender, String name) {
    Lock lock = registry.obtain(name);
    return new JavaLock(lock);
  }

  @Override
  public void close() {
    pool.close();
  }
}
