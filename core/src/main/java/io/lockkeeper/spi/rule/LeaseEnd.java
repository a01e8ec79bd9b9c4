package io.lockkeeper.spi.rule;

/**
 * The end of a lease, with the lease that was given: so an end that lies further ahead than that is
 * known to be a clock's fault. Where the store has no clock, a client knows only between which two
 * moments a lease ends.
 *
 * @param micros when it ends, on the store's clock; at the latest
 * @param givenMicros the lease that was given when the end was set; 0 if that is not known
 * @param holderMicros when it ends at the earliest: the holder may rely on it until then
 */
public record LeaseEnd(long micros, long givenMicros, long holderMicros) {

  /** An end that is the same to all. */
  public LeaseEnd(long micros, long givenMicros) {
    this(micros, givenMicros, micros);
  }

  /** Returns the end of a lease that begins now. */
  public static LeaseEnd after(long nowMicros, long leaseMicros) {
    return new LeaseEnd(nowMicros + leaseMicros, leaseMicros);
  }

  /** Returns whether it is further ahead than it was ever set. */
  public boolean isTooFarAhead(long nowMicros) {
    return givenMicros > 0 && micros - nowMicros > givenMicros;
  }

  /** Returns it where it can be at most, if a clock has moved it further ahead. */
  public LeaseEnd pulledBack(long nowMicros) {
    return isTooFarAhead(nowMicros) ? after(nowMicros, givenMicros) : this;
  }

  /**
   * Returns a later end, for a lease that begins now, or this one: no lease is shortened. A client
   * that does not know whether this one is late enough sets one that is not before either.
   */
  public LeaseEnd extended(long nowMicros, long leaseMicros) {
    LeaseEnd right = pulledBack(nowMicros);
    long wanted = nowMicros + leaseMicros;
    if (wanted <= right.holderMicros) {
      return right;
    }
    return after(nowMicros, wanted > right.micros ? leaseMicros : right.micros + 1 - nowMicros);
  }

  /** Returns for how long the holder may still rely on it. */
  long leftToHolder(long nowMicros) {
    return Math.max(0, holderMicros - nowMicros);
  }
}
