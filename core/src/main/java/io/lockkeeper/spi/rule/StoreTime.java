package io.lockkeeper.spi.rule;

/**
 * The time at a store in one step, and how far it can be believed.
 *
 * <p>A server that has taken over from another may lack the latest grants and releases of that one,
 * and its clock is another one. Until every lease of before must have ended nothing is over there,
 * and nobody is admitted unless what is written there is surely complete.
 *
 * @param nowMicros the store's clock, in microseconds
 * @param safeMicros until when leases that another server's clock has measured may run; any time
 *     before now if there are none
 * @param isComplete whether every grant that may be is written here, also before that time
 * @param tokenFloor what tokens must be larger than, whatever is written here; 0 for nothing
 */
public record StoreTime(long nowMicros, long safeMicros, boolean isComplete, long tokenFloor) {

  /** Returns a time of a store with one server and one clock. */
  public static StoreTime at(long nowMicros) {
    return new StoreTime(nowMicros, Long.MIN_VALUE, true, 0);
  }

  /** Returns whether leases from another server's clock may not have ended. */
  public boolean isUnsafe() {
    return nowMicros < safeMicros;
  }

  /** Returns whether nobody may be admitted: there may be a grant that is not known here. */
  public boolean isClosed() {
    return isUnsafe() && !isComplete;
  }

  /** Returns whether a lease with this end is over. */
  public boolean isOver(long endMicros) {
    return nowMicros >= endMicros && !isUnsafe();
  }

  /** Returns in how many microseconds a lease with this end will be over. */
  public long untilMicros(long endMicros) {
    return (isUnsafe() ? Math.max(endMicros, safeMicros) : endMicros) - nowMicros;
  }

  /** Returns the time after so many milliseconds. */
  public long afterMillis(long millis) {
    return nowMicros + micros(millis);
  }

  /** Returns the next token after the latest one that is known of the resource. */
  public long nextToken(long lastToken) {
    return Math.max(Math.max(lastToken + 1, nowMicros), tokenFloor + 1);
  }

  static long micros(long millis) {
    return Math.multiplyExact(millis, 1_000L);
  }
}
