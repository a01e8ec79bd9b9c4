package io.lockkeeper.spi.record;

/**
 * A part of a record that is changed by itself, and has its place among the others.
 *
 * @param name a name of its own in the record: ASCII letters, digits and {@code / -}
 * @param text what it holds
 * @param isBound whether it is removed when the client that put it is gone, at a store that has
 *     {@linkplain RecordStore#hasSessions sessions}; that does not change the record's version
 */
public record Entry(String name, String text, boolean isBound) {

  /** Creates an entry that stays until it is removed. */
  public Entry(String name, String text) {
    this(name, text, false);
  }
}
