package io.lockkeeper.spi;

/** The answer that says no more than that it was done. */
public enum Done {
  /** It was done. */
  DONE
}
