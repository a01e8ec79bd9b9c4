package io.lockkeeper.spi.record;

/** Ends a step that needs more of the record than was read. */
final class NeedsMore extends Exception {

  private static final long serialVersionUID = 1;

  NeedsMore() {
    super("more of the record is needed", null, false, false);
  }
}
