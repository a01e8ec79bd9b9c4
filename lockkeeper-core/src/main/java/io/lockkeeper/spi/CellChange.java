package io.lockkeeper.spi;

import org.jspecify.annotations.Nullable;

/**
 * One thing to do to a cell. Where it says <i>number</i>, a cell that is not there counts as 0, and
 * one that holds something else is left as it is ({@link CellResult.Verdict#NOT_A_NUMBER}).
 *
 * <p>A time to live is in milliseconds, or 0 for none. When it is over the cell is not there any
 * more, as if it had been deleted at that moment. Changes that do not name one leave it as it is.
 */
public sealed interface CellChange {

  /** Begins the cell, unless it is there. */
  record Create(CellValue value, long ttlMillis) implements CellChange {}

  /** Sets the cell, whether it is there or not. */
  record Put(CellValue value, long ttlMillis) implements CellChange {}

  /** Sets the cell if it is there and has this version. */
  record Replace(long version, CellValue value, long ttlMillis) implements CellChange {}

  /** Sets the number if it is the expected one. */
  record ReplaceNumber(long expected, long number) implements CellChange {}

  /**
   * Adds to the number, exactly. What 64 bits cannot hold is refused ({@link
   * CellResult.Verdict#OVERFLOW}).
   *
   * @param delta what to add
   * @param floor where a subtraction stops, so that it cannot overflow; a number that is there or
   *     below already stays as it is. Null for none
   * @param create whether a cell that is not there is begun; otherwise it is not touched
   */
  record Add(long delta, @Nullable Long floor, boolean create) implements CellChange {}

  /** Raises the number to at least this one. */
  record Raise(long number) implements CellChange {}

  /** Ends the cell if it is there. */
  record Delete() implements CellChange {}
}
