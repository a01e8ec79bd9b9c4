package io.lockkeeper.spi;

/**
 * How much of a resource a claim wants, and how much of it there is.
 *
 * <p>Every resource is a number of permits. A lock has one. A read-write lock has {@link #ALL}: a
 * writer wants all of them, a reader one. A semaphore has as many as its users say.
 *
 * @param permits how many permits the claim wants
 * @param limit how many the resource has, if this claim is the first to mention it; for a barrier,
 *     how many enter together
 * @param overtakes whether it may be let in although others, who want more than is left, came first
 */
public record Share(int permits, int limit, boolean overtakes) {

  /** The number of permits of a resource that any number may share. */
  public static final int ALL = Integer.MAX_VALUE;

  /** The whole of a lock. */
  public static final Share EXCLUSIVE = new Share(1, 1, false);

  /** Checks. */
  public Share {
    if (permits < 1 || limit < 0) {
      throw new IllegalArgumentException(permits + " permits of " + limit);
    }
  }
}
