package io.lockkeeper.spi;

/**
 * The number of permits that a claim asks for, out of how many.
 *
 * <p>Every resource is a number of permits. A lock has one. A read-write lock has {@link #ALL}: a
 * writer wants all of them, a reader one. A semaphore has as many as its users say.
 *
 * @param permits how many permits the claim asks for
 * @param limit how many permits the resource has, if this claim is the first to use it; for a
 *     barrier, how many members pass together
 * @param overtakes whether it may be admitted although others, which ask for more than is free,
 *     came first
 */
public record Share(int permits, int limit, boolean overtakes) {

  /** The number of permits of a resource that any number of holders may share. */
  public static final int ALL = Integer.MAX_VALUE;

  /** The whole of a lock. */
  public static final Share EXCLUSIVE = new Share(1, 1, false);

  /** Checks the numbers. */
  public Share {
    if (permits < 1 || limit < 0) {
      throw new IllegalArgumentException(permits + " permits of " + limit);
    }
  }
}
