package io.lockkeeper.spi.record;

import io.lockkeeper.spi.rule.LeaseEnd;

/** How the times in one record are read and written at one moment. All are microseconds. */
interface Times {

  /** Returns what time it is. */
  long now();

  /** Reads a time. */
  long read(String text);

  /** Reads the end of a lease of {@code givenMicros}. */
  LeaseEnd readEnd(String text, long givenMicros);

  /** Writes a time, as one field. */
  String write(long micros);

  /** Returns whether a time that is written down never comes. */
  static boolean isNever(long micros) {
    return micros >= Long.MAX_VALUE / 2;
  }

  /**
   * Times of a clock that all clients share: they are what they are.
   *
   * @param now what time it is
   */
  record Shared(long now) implements Times {

    @Override
    public long read(String text) {
      return Long.parseLong(text);
    }

    @Override
    public LeaseEnd readEnd(String text, long givenMicros) {
      return new LeaseEnd(read(text), givenMicros);
    }

    @Override
    public String write(long micros) {
      return String.valueOf(micros);
    }
  }
}
