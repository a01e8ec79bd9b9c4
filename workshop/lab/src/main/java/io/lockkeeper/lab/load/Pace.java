package io.lockkeeper.lab.load;

/**
 * How often one thread may begin something. It may in bursts: each second, counted by the clock
 * that all processes of a machine share, it is given its share of that second. So threads that are
 * kept to a rate still meet at the same things, as those do that are not.
 */
final class Pace {

  private static final long SECOND_NANOS = 1_000_000_000;

  private final double perSecond;
  private final long first;
  private long begun;

  /**
   * Creates one.
   *
   * @param perSecond how often on the average; what is not used up is kept
   * @param nowNanos the time
   */
  Pace(double perSecond, long nowNanos) {
    this.perSecond = perSecond;
    this.first = second(nowNanos);
  }

  /** Returns how long to wait before asking again; 0 if it may begin, which is counted then. */
  long waitNanos(long nowNanos) {
    long second = second(nowNanos);
    if (begun < (long) Math.ceil((second - first + 1) * perSecond)) {
      begun++;
      return 0;
    }
    return (second + 1) * SECOND_NANOS - nowNanos;
  }

  private static long second(long nanos) {
    return Math.floorDiv(nanos, SECOND_NANOS);
  }
}
