package io.lockkeeper.bench.locks;

import java.util.Locale;

/**
 * A library that takes part. To add one: a constant here, a {@link LockClient}, and its {@link
 * Contender}s.
 */
public enum Library {
  LOCKKEEPER("Lockkeeper") {
    @Override
    public LockClient connect(String url) {
      return new LockkeeperClient(url);
    }
  },
  REDISSON("Redisson") {
    @Override
    public LockClient connect(String url) {
      return new RedissonLockClient(url);
    }
  },
  CURATOR("Curator") {
    @Override
    public LockClient connect(String url) {
      return new CuratorLockClient(url);
    }
  },
  /** The lock that etcd itself offers its clients. */
  JETCD("jetcd") {
    @Override
    public LockClient connect(String url) {
      return new JetcdLockClient(url);
    }
  },
  SPRING_INTEGRATION("Spring Integration") {
    @Override
    public LockClient connect(String url) {
      return url.startsWith("redis:") ? new SpringRedisLockClient(url) : new SpringLockClient(url);
    }
  },
  SHEDLOCK("ShedLock") {
    @Override
    public LockClient connect(String url) {
      return new ShedLockClient(url);
    }
  },
  /** What a driver alone needs for a lock: nothing that is one can be cheaper. */
  FLOOR("driver alone") {
    @Override
    public LockClient connect(String url) {
      return new FloorClient(Floor.open(url));
    }
  },
  /** The JDK's own lock: what one process can reach without any store. */
  JDK("JDK") {
    @Override
    public LockClient connect(String url) {
      return new JdkLockClient();
    }
  };

  private final String label;

  Library(String label) {
    this.label = label;
  }

  /** Returns its name for people. */
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
  public abstract LockClient connect(String url);
}
