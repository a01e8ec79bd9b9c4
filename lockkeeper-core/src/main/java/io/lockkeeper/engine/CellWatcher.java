package io.lockkeeper.engine;

import io.lockkeeper.spi.CellState;

/**
 * Somebody who waits for what becomes of a cell. Guarded by the gate's mutex except for telling.
 */
interface CellWatcher {

  /**
   * Takes note of what the cell is now, which is {@link CellState.Absent} or {@link
   * CellState.Present}; returns whether there is something to {@link #tell}.
   */
  boolean sees(CellState state);

  /**
   * Takes note that the store does not say what the cell is; returns whether there is something to
   * {@link #tell}.
   */
  boolean fails(RuntimeException failure);

  /** Returns whether the first look is probably enough, so that the store need not tell it more. */
  boolean looksFirst();

  /** Returns whether it has seen enough. */
  boolean isOver();

  /** Tells what it has seen. Called without any lock. */
  void tell();
}
