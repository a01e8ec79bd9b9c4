package io.lockkeeper.spi.rule;

/**
 * The end of a lease, with the lease that was given: so an end that lies further ahead than that is
 * known to be a clock's fault.
 *
 * @param micros when it ends, on the store's clock
 * @param givenMicros the lease that was given when the end was set; 0 if that is not known
 * @param holderMicros until when the holder may rely on it: earlier where the store has no clock
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

  /** Returns a later end, for a lease that begins now, or this one: no lease is shortened. */
  public LeaseEnd extended(long nowMicros, long leaseMicros) {
    LeaseEnd right = pulledBack(nowMicros);
    return nowMicros + leaseMicros > right.holderMicros ? after(nowMicros, leaseMicros) : right;
  }

  /** Returns for how long the holder may still rely on it. */
  long leftToHolder(long nowMicros) {
    return Math.max(0, holderMicros - nowMicros);
  }
}
