package io.lockkeeper.spi.record;

/** Ends a step on a record that no version of Lockkeeper known here has written. */
final class ForeignRecordException extends RuntimeException {

  private static final long serialVersionUID = 1;

  ForeignRecordException(String text, Throwable cause) {
    super("not a record of Lockkeeper: " + text.substring(0, Math.min(40, text.length())), cause);
  }
}
