package io.lockkeeper.spi.record;

/**
 * A part of a record that is changed by itself, and has its place among the others.
 *
 * @param name a name of its own in the record: ASCII letters, digits and {@code / -}
 * @param text what it holds
 * @param isBound whether it is removed when the client that put it is gone, at a store that has
 *     {@linkplain RecordStore#hasSessions sessions}; that does not change the record's version. One
 *     that is put again may have a new place
 * @param place where the store knows it, when it was put, as {@link #place(long, int)} says it;
 *     otherwise 0
 */
public record Entry(String name, String text, boolean isBound, long place) {

  /**
   * Returns a place by which entries of different records compare, also with arrivals that are
   * known by the {@linkplain Reading#moment moment} of a reading only.
   *
   * @param moment when it was put, counted as readings count
   * @param index how many entries were put before it at that moment
   */
  public static long place(long moment, int index) {
    return ResourceHead.floor(moment) + index;
  }

  /** Creates an entry whose place is not known. */
  public Entry(String name, String text, boolean isBound) {
    this(name, text, isBound, 0);
  }

  /** Creates an entry that stays until it is removed. */
  public Entry(String name, String text) {
    this(name, text, false);
  }
}
