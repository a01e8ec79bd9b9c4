package io.lockkeeper.spi.record;

import io.lockkeeper.spi.ClaimAnswer;
import io.lockkeeper.spi.Grant;
import io.lockkeeper.spi.PollAnswer;
import io.lockkeeper.spi.Queued;
import io.lockkeeper.spi.ReleaseAnswer;
import io.lockkeeper.spi.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * The clock by which leases in a store of records run: one that all clients of the store share, or,
 * if the store has none, the clock of each process.
 *
 * <p>Without a shared clock a lease runs, for whoever is not its holder, from when the process
 * first saw it. So it never ends too early, and later for a process that came late.
 */
public final class RecordClock {

  /**
   * How far below zero a process's own time is: so far that no token or version, which may begin
   * with the time where that is shared, ever does.
   */
  private static final long BELOW_ZERO_MICROS = Long.MAX_VALUE / 4_096;

  private static final long NANOS_PER_MICRO = 1_000;

  /**
   * The time that answers carry if the store has none. Since it is always the same, the engine
   * counts a lease that it is notified of from when it last asked in vain.
   */
  private static final long NO_TIME = 1;

  private final TimeSource time;
  private final @Nullable Sightings sightings;

  private RecordClock(TimeSource time, @Nullable Sightings sightings) {
    this.time = time;
    this.sightings = sightings;
  }

  /**
   * Returns a clock that all clients of the store share.
   *
   * @param time is positive, is read without a request, and never goes back while the store keeps
   *     anything
   */
  public static RecordClock shared(TimeSource time) {
    return new RecordClock(time, null);
  }

  /**
   * Returns the clock of this process, for a store that has none. Clients that are given the same
   * one share what they have seen.
   *
   * @param time measures intervals and never runs ahead, as {@link System#nanoTime} does not; that
   *     of a client's environment may, since it counts what the machine slept
   */
  public static RecordClock own(TimeSource time) {
    return new RecordClock(time, new Sightings());
  }

  /** Returns whether all clients of the store share it. */
  public boolean isShared() {
    return sightings == null;
  }

  /** Returns what time it is. */
  public long micros() {
    long micros = time.nanos() / NANOS_PER_MICRO;
    return isShared() ? micros : Sightings.written(micros - BELOW_ZERO_MICROS);
  }

  /** Returns how the times in a record that was read are to be read and written now. */
  Times times(String key, Reading reading, String client) {
    long now = micros();
    return sightings == null ? new Times.Shared(now) : sightings.times(key, reading, client, now);
  }

  /** Takes note of what was answered to a request that was sent at a time. */
  void read(String key, Reading reading, long sentMicros) {
    if (sightings != null) {
      sightings.read(key, reading.version(), sentMicros);
    }
  }

  /** Takes note that a change that was sent at a time has been made. */
  void made(Change change, long version, long sentMicros) {
    if (sightings != null) {
      sightings.made(change, version, sentMicros, micros());
    }
  }

  /** Returns an answer as the engine is to get it. */
  ClaimAnswer reported(ClaimAnswer answer) {
    return answer instanceof Queued queued ? reported(queued) : answer;
  }

  /** Returns an answer as the engine is to get it. */
  PollAnswer reported(PollAnswer answer) {
    return answer instanceof Queued queued ? reported(queued) : answer;
  }

  /** Returns an answer as the engine is to get it, also where it put a claim back into the queue. */
  ReleaseAnswer reported(ReleaseAnswer answer) {
    Queued requeued = answer.requeued();
    return requeued == null
        ? answer
        : new ReleaseAnswer(answer.released(), answer.next(), reported(requeued));
  }

  private Queued reported(Queued queued) {
    return sightings == null
        ? queued
        : new Queued(NO_TIME, queued.holderMicros(), queued.arrival());
  }

  /** Returns a grant as its client is to be notified of it. */
  Grant reported(Grant grant) {
    return sightings == null
        ? grant
        : new Grant(
            grant.grant(),
            grant.claims(),
            grant.firstToken(),
            grant.lastToken(),
            NO_TIME,
            grant.leaseMicros(),
            grant.othersWait(),
            grant.confirmed());
  }
}
