package io.lockkeeper.spring.boot;

/** Thrown at the start if nothing says where the locks are. */
final class NoLockStoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  NoLockStoreException() {
    super("no store for locks: neither lockkeeper.url nor a Redis or a database to use");
  }
}
