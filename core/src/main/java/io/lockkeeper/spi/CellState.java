package io.lockkeeper.spi;

/** The state of a cell when it was read. */
public sealed interface CellState {

  /** It is not there. */
  record Absent() implements CellState {}

  /**
   * It is there.
   *
   * @param version its version
   * @param born the version that it had when it was begun, so that a new cell can be told from an
   *     old one of the same name
   * @param value what it holds
   * @param leftMicros how long it still lives; negative if it has no end
   */
  record Present(long version, long born, CellValue value, long leftMicros) implements CellState {}

  /**
   * It is there and has the version that the client knows.
   *
   * @param version its version
   * @param leftMicros how long it still lives; negative if it has no end
   */
  record Unchanged(long version, long leftMicros) implements CellState {}
}
