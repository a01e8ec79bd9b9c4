package io.lockkeeper.spi;

import org.jspecify.annotations.Nullable;

/**
 * One change of a cell. A change of a <i>number</i> takes an absent cell as 0, and leaves a cell
 * that holds something else as it is ({@link CellResult.Verdict#NOT_A_NUMBER}).
 *
 * <p>A time to live is in milliseconds, or 0 for none. When it is over, the cell is absent, as if
 * it had been deleted at that moment. Changes without a time to live leave it as it is.
 */
public sealed interface CellChange {

  /** Creates the cell, unless it exists. */
  record Create(CellValue value, long ttlMillis) implements CellChange {}

  /** Sets the cell, whether it exists or not. */
  record Put(CellValue value, long ttlMillis) implements CellChange {}

  /** Sets the cell if it exists and has this version. */
  record Replace(long version, CellValue value, long ttlMillis) implements CellChange {}

  /** Sets the number if it is the expected one. */
  record ReplaceNumber(long expected, long number) implements CellChange {}

  /**
   * Adds to the number, exactly. A result that does not fit into 64 bits is refused ({@link
   * CellResult.Verdict#OVERFLOW}).
   *
   * @param delta the number to add
   * @param floor the number at which a subtraction stops, so that it cannot overflow; a number that
   *     is equal or smaller already stays as it is. Null for none
   * @param create whether an absent cell is created; otherwise it is left absent
   */
  record Add(long delta, @Nullable Long floor, boolean create) implements CellChange {}

  /** Raises the number to at least this one. */
  record Raise(long number) implements CellChange {}

  /** Deletes the cell if it exists. */
  record Delete() implements CellChange {}
}
