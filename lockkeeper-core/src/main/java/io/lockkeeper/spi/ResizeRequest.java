package io.lockkeeper.spi;

/**
 * A change of the limit of a semaphore, for good.
 *
 * @param resource its id
 * @param number a number that this client gives to no other request or claim
 * @param kind what to do
 * @param permits the new limit, or how many more there shall be; of no meaning if it is given up
 * @param limitIfUnset what the limit counts as while there is none
 * @param rememberMillis how long the store is to know that it has made the change
 */
public record ResizeRequest(
    String resource, long number, Kind kind, int permits, int limitIfUnset, long rememberMillis) {

  /** What becomes of the limit. */
  public enum Kind {
    /** It is what the request says. */
    SET,
    /** It is so many more, or fewer if negative, than it is. */
    ADD,
    /**
     * A limit that was set before is given up: the one in force counts until the semaphore is out
     * of use, and that of a claim after that.
     */
    GIVE_UP
  }

  /**
   * Returns the limit after the change; {@link Inspection#UNSET} if it is given up.
   *
   * @param current the limit that counts now, or {@link Inspection#UNSET}
   */
  public long after(int current) {
    return switch (kind) {
      case SET -> permits;
      case ADD -> (current == Inspection.UNSET ? limitIfUnset : current) + (long) permits;
      case GIVE_UP -> Inspection.UNSET;
    };
  }

  /** Returns whether there can be such a limit, or none. */
  public boolean fits(long limit) {
    return kind == Kind.GIVE_UP || (limit >= 0 && limit <= Integer.MAX_VALUE);
  }
}
