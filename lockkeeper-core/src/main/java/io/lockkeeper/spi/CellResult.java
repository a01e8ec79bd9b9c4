package io.lockkeeper.spi;

/**
 * What became of one change. Values themselves are not repeated here, so that results are small
 * enough to be remembered.
 *
 * @param verdict whether it was made
 * @param version the cell's version afterwards; 0 if the cell is not there
 * @param before the number that the cell held before; 0 if it was not there or held none
 * @param number the number that the cell holds afterwards; 0 if it is not there or holds none
 */
public record CellResult(Verdict verdict, long version, long before, long number) {

  /** Whether a change was made. */
  public enum Verdict {
    /** It was made, or the cell was as wished already. */
    DONE,
    /** What it asked for did not hold. */
    UNMET,
    /** The cell holds something that is not a number. */
    NOT_A_NUMBER,
    /** The number would not fit into 64 bits. */
    OVERFLOW
  }
}
