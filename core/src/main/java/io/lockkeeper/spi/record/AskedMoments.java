package io.lockkeeper.spi.record;

import io.lockkeeper.spi.TimeSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * When one client asked for the answers that it got about records. A holder may rely on its lease
 * from the last moment at which it asked and the lease was not given yet.
 *
 * <p>These moments are on the client's own clock, which counts the time during which the machine
 * was suspended. The clock by which leases of others end does not: for it a suspended machine has
 * seen nothing.
 */
final class AskedMoments {

  /** Of how many answers about one record. */
  private static final int MOST_READINGS = 64;

  /** Before every time that there is, with room for what is added to it, also in nanoseconds. */
  private static final long LONG_AGO = Long.MIN_VALUE / 2_048;

  private static final long NANOS_PER_MICRO = 1_000;

  private final TimeSource time;
  private final ReentrantLock mutex = new ReentrantLock();
  private final Map<String, Asked> records = LeaseObservations.leastUsedFirst();

  /** About one record. */
  private static final class Asked {

    /** When changes were sent, by the version that they expected. */
    final Map<Long, Long> sent = LeaseObservations.leastUsedFirst();

    /** When it was asked for, what then was answered to have these versions. */
    final TreeMap<Long, Long> readings = new TreeMap<>();
  }

  AskedMoments(TimeSource time) {
    this.time = time;
  }

  long micros() {
    return time.nanos() / NANOS_PER_MICRO;
  }

  /** Records an answer. */
  void read(String key, long version, long sentMicros) {
    mutex.lock();
    try {
      TreeMap<Long, Long> readings = of(key).readings;
      readings.merge(version, sentMicros, Math::max);
      if (readings.size() > MOST_READINGS) {
        readings.pollFirstEntry();
      }
    } finally {
      mutex.unlock();
    }
  }

  /** Records a change that was made, and the version that it gave. */
  void made(Change change, long version, long sentMicros) {
    mutex.lock();
    try {
      LeaseObservations.remember(of(change.key()).sent, change.expected(), sentMicros);
    } finally {
      mutex.unlock();
    }
    read(change.key(), version, sentMicros);
  }

  private Asked of(String key) {
    Asked record = records.computeIfAbsent(key, absent -> new Asked());
    LeaseObservations.forgetSome(records, LeaseObservations.MOST_RECORDS);
    return record;
  }

  /** Returns how long ago the change on a version was made at most. */
  long sinceMicros(String key, long version) {
    return micros() - before(key, version);
  }

  /** Returns a moment before the change on a version, the last that is known. */
  private long before(String key, long version) {
    mutex.lock();
    try {
      Asked record = of(key);
      Long sent = record.sent.get(version);
      Map.@Nullable Entry<Long, Long> reading = record.readings.floorEntry(version);
      return sent != null ? sent : reading != null ? reading.getValue() : LONG_AGO;
    } finally {
      mutex.unlock();
    }
  }
}
