package io.lockkeeper.spi.record;

import io.lockkeeper.spi.rule.LeaseEnd;

/** How the times in one record are read and written at one moment. All are microseconds. */
interface Times {

  /** How late a time is over to clients that have not followed it: as clocks may differ. */
  long LATE_MICROS = 1_000_000;

  /** The same, of what does no harm while it is there, and would if it went early. */
  long MUCH_LATE_MICROS = 3_600_000_000L;

  /** Returns what time it is. */
  long now();

  /** Reads a time. */
  long read(String text);

  /** Reads the end of a lease of {@code givenMicros}. */
  LeaseEnd readEnd(String text, long givenMicros);

  /** Writes a time, as one field. */
  String write(long micros);

  /**
   * Writes a time that no client relies on, as one field. To each client it is over so long after
   * it at the latest, also to one that comes later.
   */
  default String writeOpen(long micros, long lateMicros) {
    return write(micros);
  }

  /**
   * Writes a time for people, as one field that says nothing of the record's changes: what is
   * appended is decided on a version on which another change is still to come.
   */
  default String writeDate(long micros) {
    return write(micros);
  }

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
