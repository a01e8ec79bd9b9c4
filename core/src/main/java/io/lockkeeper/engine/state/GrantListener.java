package io.lockkeeper.engine.state;

/** Hears what became of an asynchronous request. No state machine calls it. */
public interface GrantListener {

  /** Takes what was granted; returns false if nobody wants it any more. */
  boolean granted(Hold hold);

  /** Takes the reason why nothing was granted. */
  void failed(RuntimeException failure);
}
