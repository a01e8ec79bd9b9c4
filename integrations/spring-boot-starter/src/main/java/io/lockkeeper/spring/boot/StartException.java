package io.lockkeeper.spring.boot;

import org.jspecify.annotations.Nullable;

/** Thrown at the start if a client cannot be made, with what to do about it. */
final class StartException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String action;

  StartException(String message, String action) {
    this(message, action, null);
  }

  StartException(String message, String action, @Nullable Throwable cause) {
    super(message, cause);
    this.action = action;
  }

  String action() {
    return action;
  }
}
