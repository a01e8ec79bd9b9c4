package io.lockkeeper.spi.record;

/**
 * A request to read a record, or as much of it as is needed. A store may always answer all.
 *
 * @param key the key of the record
 * @param first how many entries to read from the first on, at least; where entries are {@linkplain
 *     RecordStore#appends appended}, about that
 * @param own the beginning of the names of further entries to read, wherever they stand
 * @param isCurrent whether the reading must be current; otherwise it may be of before, and is only
 *     good for a change
 * @param isWatched whether the next change is to be {@linkplain RecordStore#watches notified}
 */
public record ReadRequest(String key, int first, String own, boolean isCurrent, boolean isWatched) {

  /** Stands for as many entries as there are. */
  public static final int ALL = Integer.MAX_VALUE;

  /** Creates a request for what is there now. */
  public ReadRequest(String key, int first, String own) {
    this(key, first, own, true, false);
  }

  /** Creates a request for all of a record. */
  public static ReadRequest all(String key) {
    return new ReadRequest(key, ALL, "");
  }

  /** Returns the same request, for a change only. */
  public ReadRequest forChange() {
    return new ReadRequest(key, first, own, false, isWatched);
  }

  /** Returns the same request, for a client that watches the record. */
  public ReadRequest watched() {
    return new ReadRequest(key, first, own, isCurrent, true);
  }
}
