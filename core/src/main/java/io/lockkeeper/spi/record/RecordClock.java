package io.lockkeeper.spi.record;

import io.lockkeeper.spi.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * The clock by which leases in a store of records run: one that all clients of the store share, or,
 * if the store has none, the clock of each process.
 *
 * <p>Without a shared clock a lease runs, for all but its holder, from when the process first saw
 * it. So it never ends too early, and later for a process that came late. What nobody holds, a
 * value with a time to live or a lock that rests, is also over by a calendar, if there is one: a
 * clock that all clients share, though not well enough for leases.
 */
public final class RecordClock {

  /** The reading of a {@linkplain #withCalendar calendar} whose time is not known yet. */
  public static final long UNKNOWN = Long.MIN_VALUE;

  /**
   * How far below zero a process's own time is: so far that no token or version, which may begin
   * with the time where that is shared, ever does.
   */
  private static final long BELOW_ZERO_MICROS = Long.MAX_VALUE / 4_096;

  private static final long NANOS_PER_MICRO = 1_000;

  private final TimeSource time;
  private final @Nullable LeaseObservations observations;
  private final @Nullable TimeSource calendar;
  private final AskedMoments asked;

  private RecordClock(
      TimeSource time,
      @Nullable LeaseObservations observations,
      @Nullable TimeSource calendar,
      TimeSource asking) {
    this.time = time;
    this.observations = observations;
    this.calendar = calendar;
    this.asked = new AskedMoments(asking);
  }

  /**
   * Returns a clock that all clients of the store share.
   *
   * @param time is positive, is read without a request, and never goes back while the store keeps
   *     anything
   */
  public static RecordClock shared(TimeSource time) {
    return new RecordClock(time, null, null, time);
  }

  /**
   * Returns the clock of this process, for a store that has none. All clients of one store in the
   * process are given the same one: they share what they have seen.
   *
   * @param time measures intervals and never runs ahead, as {@link System#nanoTime} does not; that
   *     of a client's environment may, since it counts what the machine slept
   */
  public static RecordClock own(TimeSource time) {
    return new RecordClock(time, new LeaseObservations(), null, time);
  }

  /**
   * Returns the same clock of a process, with a calendar. By that a time that no client relies on
   * ends for those that come later, about a second late.
   *
   * @param shared such as the wall clock: the same to all clients of the store, within a second;
   *     where it is not, such times end early or late by the difference. It may return {@link
   *     #UNKNOWN}
   */
  public RecordClock withCalendar(TimeSource shared) {
    return new RecordClock(time, observations, shared, time);
  }

  /**
   * Returns the same clock for one client.
   *
   * @param clientTime measures intervals, and counts the time during which the machine was
   *     suspended: by it the client may rely on what it holds
   */
  RecordClock ofClient(TimeSource clientTime) {
    return new RecordClock(time, observations, calendar, clientTime);
  }

  /** Returns whether all clients of the store share it. */
  public boolean isShared() {
    return observations == null;
  }

  /** Returns what time it is. */
  public long micros() {
    long micros = time.nanos() / NANOS_PER_MICRO;
    return isShared() ? micros : LeaseObservations.written(micros - BELOW_ZERO_MICROS);
  }

  /** Returns how the times in a record that was read are to be read and written now. */
  Times times(String key, Reading reading) {
    long now = micros();
    if (observations == null) {
      return new Times.Shared(now);
    }
    long today = calendar == null ? UNKNOWN : calendar.nanos();
    return observations.times(
        key, reading, now, today == UNKNOWN ? null : (Long) (today / NANOS_PER_MICRO), asked);
  }

  /** Returns the moment of a request, for those who record its answer. */
  long sentMicros() {
    return asked.micros();
  }

  /** Records the answer to a request and when that was sent. */
  void read(String key, Reading reading, long sentMicros) {
    if (observations != null) {
      asked.read(key, reading.version(), sentMicros);
    }
  }

  /** Records a change that has been made and when it was sent. */
  void made(Change change, long version, long sentMicros) {
    if (observations != null) {
      observations.made(change, micros());
      asked.made(change, version, sentMicros);
    }
  }

  /** Returns a moment that is not later than a time in a record. */
  long noLaterThan(String key, String text) {
    return observations == null
        ? Long.parseLong(text)
        : LeaseObservations.noLaterThan(key, text, micros(), asked);
  }
}
