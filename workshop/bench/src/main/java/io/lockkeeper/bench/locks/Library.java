package io.lockkeeper.bench.locks;

import java.util.Locale;

/**
 * A library that takes part. To add one: a constant here, a {@link LockClient}, and its {@link
 * Contender}s.
 */
public enum Library {
  LOCKKEEPER("Lockkeeper"),
  REDISSON("Redisson"),
  CURATOR("Curator"),
  /** The lock that etcd itself offers its clients. */
  JETCD("jetcd"),
  SPRING_INTEGRATION("Spring Integration"),
  SHEDLOCK("ShedLock"),
  /** What a driver alone needs for a lock: nothing that is one can be cheaper. */
  FLOOR("driver alone"),
  /** The JDK's own lock: what one process can reach without any store. */
  JDK("JDK");

  private final String label;

  Library(String label) {
    this.label = label;
  }

  public String label() {
    return label;
  }

  /** Returns its name in the versions of a run. */
  public String product() {
    return label.toLowerCase(Locale.ROOT).replace(' ', '-');
  }

  /**
   * Opens a client with the library's own default settings.
   *
   * @param url the server's, as Lockkeeper writes it
   */
  public LockClient connect(String url) {
    return switch (this) {
      case LOCKKEEPER -> new LockkeeperClient(url);
      case REDISSON -> new RedissonLockClient(url);
      case CURATOR -> new CuratorLockClient(url);
      case JETCD -> new JetcdLockClient(url);
      case SPRING_INTEGRATION ->
          url.startsWith("redis:")
              ? NamedLocks.ofSpringOnRedis(url)
              : NamedLocks.ofSpringOnSql(url);
      case SHEDLOCK -> new ShedLockClient(url);
      case FLOOR -> Floor.open(url);
      case JDK -> NamedLocks.ofJdk();
    };
  }
}
