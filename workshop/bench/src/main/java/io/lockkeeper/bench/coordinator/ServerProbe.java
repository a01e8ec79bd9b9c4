package io.lockkeeper.bench.coordinator;

/** Asks a server how much it has done. */
interface ServerProbe extends AutoCloseable {

  /**
   * What the server had done up to a moment.
   *
   * @param commands all requests, at Redis those inside scripts included, without the probe's own;
   *     NaN if the server does not tell
   * @param cpuMicros its processor time
   * @param scripts how many scripts and functions it has run; NaN if the server does not tell
   * @param scriptMicros how long these took together
   */
  record Reading(double commands, double cpuMicros, double scripts, double scriptMicros) {}

  Reading read();

  /** Begins a stock at zero. */
  default void reset(String key) {
    throw new UnsupportedOperationException("orders are measured at Redis");
  }

  /** Returns what a stock has come to. */
  default long number(String key) {
    throw new UnsupportedOperationException("orders are measured at Redis");
  }

  @Override
  void close();
}
