package io.lockkeeper.servers;

/** An error that a Redis server replied. */
public final class RedisErrorException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public RedisErrorException(String message) {
    super(message);
  }
}
