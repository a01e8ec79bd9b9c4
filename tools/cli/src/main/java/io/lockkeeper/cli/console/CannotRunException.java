package io.lockkeeper.cli.console;

import org.jspecify.annotations.Nullable;

/** A command cannot do its work. The message is one line and says what the user can do about it. */
public final class CannotRunException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public CannotRunException(String message) {
    this(message, null);
  }

  /** Creates the exception. */
  public CannotRunException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
