package io.lockkeeper.dynamodb;

import io.lockkeeper.spi.TimeSource;
import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * The time at DynamoDB, to the second, as its latest answer and this process's clock say. Leases
 * have nothing to do with it: it only tells an absence from a much earlier one, and when a
 * tombstone may go.
 */
final class ServerTime {

  /** The last second of 2024, by the clock of Unix: before all that is stored. */
  private static final long ORIGIN_SECONDS = 1_735_689_599L;

  /** How many versions there are for each second, at least as many as there can be changes. */
  private static final int VERSION_BITS = 15;

  /**
   * A time that the server told.
   *
   * @param seconds the time, by the clock of Unix
   * @param nanos when that was, on this process's clock
   */
  private record Told(long seconds, long nanos) {}

  private final TimeSource time;

  /** Before the first answer so far ahead that nothing is recent. */
  private volatile Told last = new Told(Long.MAX_VALUE / 2, 0);

  /**
   * Creates it.
   *
   * @param time may run ahead: tombstones then stay longer
   */
  ServerTime(TimeSource time) {
    this.time = time;
  }

  /** Records the time of an answer, and returns the version of what is absent by then. */
  long absence(SdkHttpResponse answer) {
    String date =
        answer
            .firstMatchingHeader("Date")
            .orElseThrow(() -> new IllegalStateException("the answer has no Date"));
    try {
      long seconds =
          ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toEpochSecond();
      last = new Told(seconds, time.nanos());
      return (seconds - ORIGIN_SECONDS) << VERSION_BITS;
    } catch (DateTimeException e) {
      throw new IllegalStateException("the answer has a Date that is none", e);
    }
  }

  /** Returns what time it is now, in seconds, by the clock of Unix. */
  long seconds() {
    Told told = last;
    return told.seconds + TimeUnit.NANOSECONDS.toSeconds(time.nanos() - told.nanos);
  }

  /** Returns the same in nanoseconds, as exactly as is known: up to a second too early. */
  long nanos() {
    Told told = last;
    return TimeUnit.SECONDS.toNanos(told.seconds) + time.nanos() - told.nanos;
  }

  /** Returns how long ago an absence had a version. */
  long secondsSince(long version) {
    return seconds() - ORIGIN_SECONDS - (version >> VERSION_BITS);
  }
}
