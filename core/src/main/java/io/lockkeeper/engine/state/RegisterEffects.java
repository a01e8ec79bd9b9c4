package io.lockkeeper.engine.state;

import io.lockkeeper.spi.CellRead;

/**
 * Takes what a {@link RegisterState} wants done in the world. Noted while the coordinator's mutex
 * is held, and carried out in the same order after it has been let go.
 */
public interface RegisterEffects {

  /** Sends an update. */
  void update(RegisterBatch batch);

  /** Sends a read at once. */
  void read(CellRead read, long number);

  /** Tells a caller. */
  void tell(Runnable news);
}
