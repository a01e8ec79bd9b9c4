package io.lockkeeper.servers;

import org.jspecify.annotations.Nullable;

/** A server could not be started; the message has the end of its log. */
public final class ServerStartException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public ServerStartException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
