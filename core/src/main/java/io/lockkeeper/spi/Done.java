package io.lockkeeper.spi;

/** The answer of an operation that has no result. */
public enum Done {
  /** The operation was done. */
  DONE
}
