package io.lockkeeper.spi.rule;

import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellValue;
import org.jspecify.annotations.Nullable;

/**
 * The content of a cell.
 *
 * @param value its value; null if the cell is not there
 * @param version the version of the latest change, also when that was the end of the cell
 * @param born the version that it had when it was begun; of no meaning if it is not there
 * @param end when its time to live is over, on the store's clock and in the store's unit; {@link
 *     #NEVER} if it has no end
 */
public record CellContent(@Nullable CellValue value, long version, long born, long end) {

  /** The end of a cell that has none. */
  public static final long NEVER = Long.MAX_VALUE;

  /** Leaves nothing of what has no meaning. */
  public CellContent {
    born = value == null ? 0 : born;
    end = value == null ? NEVER : end;
  }

  /** A cell that never was. */
  public static final CellContent NONE = new CellContent(null, 0, 0, NEVER);

  /** Returns whether the cell is there. */
  public boolean isPresent() {
    return value != null;
  }

  /** Returns it at a time: without its value if that is over. */
  public CellContent at(long now) {
    return value != null && now >= end ? ended() : this;
  }

  /** Returns it without its value. */
  public CellContent ended() {
    return new CellContent(null, version, 0, NEVER);
  }

  /**
   * Returns what a reader gets.
   *
   * @param knownVersion the version that the reader knows
   * @param leftMicros how long the value still lives; of no meaning if it has no end
   */
  public CellState state(long knownVersion, long leftMicros) {
    CellValue present = value;
    if (present == null) {
      return new CellState.Absent();
    }
    long left = end == NEVER ? -1 : leftMicros;
    return version == knownVersion
        ? new CellState.Unchanged(version, left)
        : new CellState.Present(version, born, present, left);
  }

  /** Returns the number that it holds: 0 if it is not there or holds none. */
  long number() {
    CellValue present = value;
    return present == null ? 0 : present.number().orElse(0);
  }
}
