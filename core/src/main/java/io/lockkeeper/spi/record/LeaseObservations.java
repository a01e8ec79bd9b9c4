package io.lockkeeper.spi.record;

import io.lockkeeper.spi.rule.LeaseEnd;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The times in records of a store that has no clock. A time is written as the version of the record
 * on which it was decided, and how far from then it is. Each process counts on its own clock, which
 * measures nothing but intervals: a lease is over to it so long after it first saw that the change
 * had been made, and its holder may rely on it so long after it {@linkplain AskedMoments last
 * asked} and got the answer that it had not.
 *
 * <p>So a lease ends at its holder before it ends for anybody else: it was given between the two.
 * Only one change is made on a version, and versions never come again, so a time of this form means
 * the same change to all.
 *
 * <p>A time that no client relies on has a time of the calendar too, at which it is over also to a
 * process that has not seen it before.
 *
 * <p>What has not been seen for long is forgotten. Leases then begin anew, and their holders may
 * not rely on them.
 */
final class LeaseObservations {

  /** Of how many records is remembered since when their times run. */
  static final int MOST_RECORDS = 10_000;

  /** Of how many changes of one record. */
  private static final int MOST_OF_A_RECORD = 4_000;

  private static final String NEVER = "never";

  /** How a time by the calendar begins, without a change. */
  private static final String DATE = "@";

  /** How a time begins that was decided on any absence. */
  private static final String ANY_ABSENCE = Change.ANY_ABSENCE + ":";

  private final ReentrantLock mutex = new ReentrantLock();

  /**
   * When each change of a record, by the version it was made on, was first seen to have been made.
   */
  private final Map<String, Map<Long, Long>> records = leastUsedFirst();

  /**
   * Returns a time as it is when it is written. Those that are read are odd, so that a time that is
   * written anew never is the same as one that was read, and counts from another moment.
   */
  static long written(long micros) {
    return micros & ~1L;
  }

  /** Returns the times in a record that a client has read. */
  Times times(String key, Reading reading, long now, @Nullable Long today, AskedMoments asked) {
    return new TimesOfRecord(key, reading.version(), now, today, asked);
  }

  /** Records a change that this process has made. */
  void made(Change change, long now) {
    firstSeen(change.key(), change.expected(), now);
  }

  static long remember(Map<Long, Long> map, long version, long micros) {
    Long known = map.putIfAbsent(version, micros);
    forgetSome(map, MOST_OF_A_RECORD);
    return known == null ? micros : known;
  }

  private Map<Long, Long> of(String key) {
    Map<Long, Long> changes = records.computeIfAbsent(key, absent -> leastUsedFirst());
    forgetSome(records, MOST_RECORDS);
    return changes;
  }

  /** Returns when the change on a version was first seen, which is now if it was not before. */
  private long firstSeen(String key, long version, long now) {
    mutex.lock();
    try {
      return remember(of(key), version, now);
    } finally {
      mutex.unlock();
    }
  }

  /** Returns a moment that is not later than a time that was written, the last that is known. */
  static long noLaterThan(String key, String text, long now, AskedMoments asked) {
    return text.equals(NEVER)
        ? Long.MAX_VALUE
        : now - asked.sinceMicros(key, stamp(text)) + distance(text);
  }

  private static long stamp(String text) {
    return Long.parseLong(text.substring(0, colon(text)));
  }

  private static long distance(String text) {
    int at = text.indexOf('@');
    return Long.parseLong(text.substring(colon(text) + 1, at < 0 ? text.length() : at));
  }

  private static int colon(String text) {
    int colon = text.indexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException("not a time: " + text);
    }
    return colon;
  }

  static <K, V> Map<K, V> leastUsedFirst() {
    return new LinkedHashMap<>(16, 0.75f, true);
  }

  static <K> void forgetSome(Map<K, ?> map, int most) {
    if (map.size() > most) {
      map.remove(map.keySet().iterator().next());
    }
  }

  /** Times in one record, as one client reads and writes them. */
  private final class TimesOfRecord implements Times {

    private final String key;
    private final long version;
    private final long now;
    private final @Nullable Long today;
    private final AskedMoments asked;
    private final Map<String, Long> read = new HashMap<>();
    private final Map<Long, String> texts = new HashMap<>();

    /**
     * Creates it.
     *
     * @param today what time it is by the calendar; null without one
     */
    TimesOfRecord(String key, long version, long now, @Nullable Long today, AskedMoments asked) {
      this.key = key;
      this.version = version;
      this.now = now;
      this.today = today;
      this.asked = asked;
    }

    @Override
    public long now() {
      return now;
    }

    @Override
    public String writeDate(long micros) {
      return DATE + (today == null ? "" : today + micros - now);
    }

    private long readDate(String date) {
      return today == null || date.isEmpty() ? now : now + Long.parseLong(date) - today;
    }

    @Override
    public long read(String text) {
      if (text.startsWith(DATE)) {
        return readDate(text.substring(DATE.length()));
      }
      return text.equals(NEVER)
          ? Long.MAX_VALUE
          : read.computeIfAbsent(absolute(text), this::decode);
    }

    @Override
    public LeaseEnd readEnd(String text, long givenMicros) {
      return new LeaseEnd(read(text), givenMicros, noLaterThan(key, absolute(text), now, asked));
    }

    /** Returns the text with the version that {@link Change#ANY_ABSENCE} stands for in it. */
    private String absolute(String text) {
      return text.startsWith(ANY_ABSENCE) ? version - 1 + text.substring(1) : text;
    }

    private long decode(String text) {
      long seen = firstSeen(key, stamp(text), now) + distance(text) - 1;
      long micros = Math.min(seen, byCalendar(text));
      while (texts.putIfAbsent(micros, text) != null) {
        micros -= 2;
      }
      return micros;
    }

    /** Returns when a time is over by the calendar; an odd number as all that are read. */
    private long byCalendar(String text) {
      int at = text.indexOf('@');
      return today == null || at < 0
          ? Long.MAX_VALUE
          : written(now + Long.parseLong(text.substring(at + 1)) - today) - 1;
    }

    @Override
    public String writeOpen(long micros, long lateMicros) {
      boolean isAsRead = Times.isNever(micros) || texts.containsKey(micros);
      return today == null || isAsRead
          ? write(micros)
          : write(micros) + "@" + (today + micros - now + lateMicros);
    }

    @Override
    public String write(long micros) {
      if (Times.isNever(micros)) {
        return NEVER;
      }
      String known = texts.get(micros);
      return known == null ? version + ":" + (micros - now) : known;
    }
  }
}
