package io.lockkeeper.engine.state;

import io.lockkeeper.spi.CellState;

/** Waits for what becomes of a register. Guarded by the coordinator's mutex except for telling. */
public interface RegisterWatcher {

  /**
   * Records what the register is now, which is {@link CellState.Absent} or {@link
   * CellState.Present}; returns whether there is something to {@link #tell}.
   */
  boolean sees(CellState state);

  /**
   * Records that the store does not say what the register is; returns whether there is something to
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
