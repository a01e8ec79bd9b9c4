package io.lockkeeper.bench.locks;

/**
 * A library that takes part. To add one: a constant here, a {@link LockClient}, and its {@link
 * Contender}s.
 */
public enum Library {
  LOCKKEEPER("Lockkeeper") {
    @Override
    public LockClient connect(String redisUrl) {
      return new LockkeeperClient(redisUrl);
    }
  },
  REDISSON("Redisson") {
    @Override
    public LockClient connect(String redisUrl) {
      return new RedissonLockClient(redisUrl);
    }
  },
  /** The JDK's own lock: what one process can reach without any store. */
  JDK("JDK") {
    @Override
    public LockClient connect(String redisUrl) {
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

  /** Opens a client with the library's own default settings. */
  public abstract LockClient connect(String redisUrl);
}
