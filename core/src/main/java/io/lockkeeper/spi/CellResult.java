package io.lockkeeper.spi;

/**
 * The result of one change. It does not contain the value, so that results are small enough to be
 * remembered.
 *
 * @param verdict whether the change was made
 * @param version the cell's version afterwards; 0 if the cell is not there
 * @param before the number that the cell held before; 0 if it was not there or held none
 * @param number the number that the cell holds afterwards; 0 if it is not there or holds none
 */
public record CellResult(Verdict verdict, long version, long before, long number) {

  /** The verdict on a change. */
  public enum Verdict {
    /** The change was made, or the cell already was as requested. */
    DONE,
    /** The condition of the change was not met. */
    UNMET,
    /** The cell holds something that is not a number. */
    NOT_A_NUMBER,
    /** The number would not fit into 64 bits. */
    OVERFLOW
  }
}
