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
import org.jspecify.annotations.Nullable;
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
    return new Shed(provider, name);
  }

  @Override
  public void close() {
    pool.close();
  }

  /** A lock of one thread. */
  private static final class Shed implements ContestedLock {

    private final LockProvider provider;
    private final String name;
    private @Nullable SimpleLock held;

    Shed(LockProvider provider, String name) {
      this.provider = provider;
      this.name = name;
    }

    @Override
    public void lock() {
      Optional<SimpleLock> got = ask();
      while (got.isEmpty()) {
        LockSupport.parkNanos(PAUSE_NANOS);
        got = ask();
      }
      held = got.get();
    }

    private Optional<SimpleLock> ask() {
      // The configuration must have a time. ShedLock uses the database's clock instead.
      return provider.lock(new LockConfiguration(Instant.now(), name, AT_MOST, Duration.ZERO));
    }

    @Override
    public void unlock() {
      SimpleLock mine = held;
      held = null;
      if (mine != null) {
        mine.unlock();
      }
    }
  }
}
