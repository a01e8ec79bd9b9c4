package io.lockkeeper.bench.locks;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/** ShedLock on a table, on the database's clock. */
final class ShedLockClient implements LockClient {

  private static final long PAUSE_NANOS = Duration.ofMillis(40).toNanos();
  private static final Duration AT_MOST = Duration.ofSeconds(30);

  private static final String TABLE =
      "shedlock (name varchar(255) primary key, lock_until %1$s not null,"
          + " locked_at %1$s not null, locked_by varchar(255) not null)";

  private final HikariDataSource pool;
  private final LockProvider provider;

  ShedLockClient(String url) {
    pool = Databases.open(url, TABLE.formatted(Databases.moment(url)));
    provider =
        new JdbcTemplateLockProvider(
            JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(pool))
                .usingDbTime()
                .build());
  }

  @Override
  public ContestedLock lock(Contender contender, String name) {
    return ContestedLock.ofPermit(() -> lock(name), SimpleLock::unlock);
  }

  private SimpleLock lock(String name) {
    Optional<SimpleLock> got = ask(name);
    while (got.isEmpty()) {
      LockSupport.parkNanos(PAUSE_NANOS);
      got = ask(name);
    }
    return got.get();
  }

  private Optional<SimpleLock> ask(String name) {
    // The configuration must have a time. ShedLock uses the database's clock instead.
    return provider.lock(new LockConfiguration(Instant.now(), name, AT_MOST, Duration.ZERO));
  }

  @Override
  public void close() {
    pool.close();
  }
}
