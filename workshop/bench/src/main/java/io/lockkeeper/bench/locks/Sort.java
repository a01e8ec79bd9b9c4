package io.lockkeeper.bench.locks;

/** What a contender is; only contenders of one sort are measured beside each other. */
public enum Sort {
  /** An exclusive lock. */
  LOCK(1),
  /** An exclusive lock that takes part in contests of services only. */
  SERVICE(1),
  /** An exclusive lock that its client keeps for a while after the release. */
  IDLE_LOCK(1),
  READ_LOCK(Integer.MAX_VALUE),
  WRITE_LOCK(1),
  /** A semaphore of {@link #PERMITS}; one permit at a time is taken. */
  SEMAPHORE(Sort.PERMITS),
  /** A number that is incremented; there is nothing to give back. */
  COUNTER(Integer.MAX_VALUE),
  /** A latch that is set, counted down, waited for and removed; there is nothing to give back. */
  LATCH(Integer.MAX_VALUE),
  /** {@link #MEMBERS} locks as one. */
  MULTI_LOCK(1);

  /** How many locks each multi-lock has. */
  public static final int MEMBERS = 3;

  /** The permits of each semaphore. */
  public static final int PERMITS = 3;

  private final int inside;

  Sort(int inside) {
    this.inside = inside;
  }

  /** Returns how many may be inside at once. */
  public int inside() {
    return inside;
  }
}
