package io.lockkeeper.spi.record;

/** How the times in one record are read and written at one moment. All are microseconds. */
interface Times {

  /** Returns what time it is. */
  long now();

  /** Reads a time. */
  long read(String text);

  /**
   * Reads the end of a lease.
   *
   * @param client whose it is: to the holder it must not seem later than to anybody
   */
  long readEnd(String text, String client);

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
    public long readEnd(String text, String client) {
      return read(text);
    }

    @Override
    public String write(long micros) {
      return String.valueOf(micros);
    }
  }
}
