package io.lockkeeper.engine.policy;

/** The times at which a client connects. */
public enum Connecting {
  /** Before it is there. */
  AT_ONCE,
  /** In the background, beginning at once. */
  LATER,
  /** In the background, beginning with the first request. */
  AT_FIRST_USE
}
