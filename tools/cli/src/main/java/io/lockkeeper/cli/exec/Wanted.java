package io.lockkeeper.cli.exec;

import io.lockkeeper.AcquireOptions;
import io.lockkeeper.Lease;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceKind;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The lock or permits that the command is to hold.
 *
 * @param name its name
 * @param way how it is asked for
 * @param permits how much of it, or null if it is no semaphore
 * @param limit how long to wait for it, or null for as long as it takes
 */
record Wanted(String name, Way way, @Nullable Permits permits, @Nullable Duration limit) {

  /** How it is asked for. */
  enum Way {
    LOCK(ResourceKind.LOCK),
    FAIR(ResourceKind.LOCK),
    READ(ResourceKind.READ_WRITE_LOCK),
    WRITE(ResourceKind.READ_WRITE_LOCK),
    PERMITS(ResourceKind.SEMAPHORE);

    final ResourceKind kind;

    Way(ResourceKind kind) {
      this.kind = kind;
    }
  }

  /** Acquires it. */
  Lease acquire(Lockkeeper keeper) throws InterruptedException {
    AcquireOptions options =
        limit == null ? AcquireOptions.defaults() : AcquireOptions.defaults().withWait(limit);
    if (permits != null) {
      return keeper.semaphore(name, permits.all()).acquire(permits.wanted(), options);
    }
    return switch (way) {
      case FAIR -> keeper.fairLock(name).acquire(options);
      case READ -> keeper.readWriteLock(name).readLock().acquire(options);
      case WRITE -> keeper.readWriteLock(name).writeLock().acquire(options);
      default -> keeper.lock(name).acquire(options);
    };
  }
}
