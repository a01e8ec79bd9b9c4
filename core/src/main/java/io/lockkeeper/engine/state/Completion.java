package io.lockkeeper.engine.state;

/**
 * Hears when something is done that was asked for. A state machine never calls it: it hands it to
 * its effects, which do so without any lock.
 */
public interface Completion {

  /** Hears that it is done, or has become pointless. */
  void done();

  /** Hears why it will not be done. */
  void fail(RuntimeException failure);
}
