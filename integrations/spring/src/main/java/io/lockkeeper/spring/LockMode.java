package io.lockkeeper.spring;

/** The kind of lock that is taken. Kinds of one name are independent, but LOCK and FAIR are one. */
public enum LockMode {
  /** A lock made for throughput: {@link io.lockkeeper.Lockkeeper#lock(String)}. */
  LOCK,
  /** A lock in strict order: {@link io.lockkeeper.Lockkeeper#fairLock(String)}. */
  FAIR,
  /** The read lock of {@link io.lockkeeper.Lockkeeper#readWriteLock(String)}. */
  READ,
  /** The write lock of {@link io.lockkeeper.Lockkeeper#readWriteLock(String)}. */
  WRITE
}
