package io.lockkeeper.bench.locks;

/** What a contender is; only contenders of one sort are measured beside each other. */
public enum Sort {
  /** An exclusive lock. */
  LOCK,
  /** An exclusive lock that takes part in contests of services only. */
  SERVICE,
  /** An exclusive lock that its client keeps for a while after the release. */
  IDLE_LOCK,
  READ_LOCK,
  WRITE_LOCK,
  /** A semaphore of {@link #PERMITS}; one permit at a time is taken. */
  SEMAPHORE,
  /** A number that is incremented; there is nothing to give back. */
  COUNTER,
  /** A latch that is set, counted down, waited for and removed; there is nothing to give back. */
  LATCH,
  /** {@link #MEMBERS} locks as one. */
  MULTI_LOCK;

  /** How many locks each multi-lock has. */
  public static final int MEMBERS = 3;

  /** The permits of each semaphore. */
  public static final int PERMITS = 3;
}
