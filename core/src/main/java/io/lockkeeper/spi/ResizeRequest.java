package io.lockkeeper.spi;

/**
 * A request to change the limit of a semaphore for good.
 *
 * @param resource its id
 * @param number a number that this client gives to no other request or claim
 * @param kind the kind of change
 * @param permits the new limit, or the number of permits to add; ignored if the limit is given up
 * @param limitIfUnset the limit to start from while none is set
 * @param rememberMillis how long the store must remember that it has made the change
 */
public record ResizeRequest(
    ResourceId resource,
    long number,
    Kind kind,
    int permits,
    int limitIfUnset,
    long rememberMillis) {

  /** The kinds of changes. */
  public enum Kind {
    /** Sets the limit to the number of the request. */
    SET,
    /** Adds the number of the request to the limit, or subtracts it if negative. */
    ADD,
    /**
     * Gives up a limit that was set before: it counts until nobody uses the semaphore, and then
     * that of the next claim does.
     */
    GIVE_UP
  }

  /**
   * Returns the limit after the change; {@link Inspection#UNSET} if it is given up.
   *
   * @param current the limit in force, or {@link Inspection#UNSET}
   */
  public long after(int current) {
    return switch (kind) {
      case SET -> permits;
      case ADD -> (current == Inspection.UNSET ? limitIfUnset : current) + (long) permits;
      case GIVE_UP -> Inspection.UNSET;
    };
  }

  /** Returns whether the limit is in range, or is being given up. */
  public boolean fits(long limit) {
    return kind == Kind.GIVE_UP || (limit >= 0 && limit <= Integer.MAX_VALUE);
  }
}
