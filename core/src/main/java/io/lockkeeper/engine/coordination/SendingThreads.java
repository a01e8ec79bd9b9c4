package io.lockkeeper.engine.coordination;

import org.jspecify.annotations.Nullable;

/**
 * Knows which threads are emptying an outbox of this client. Such a thread must not wait for an
 * outbox: two of them could wait for each other.
 */
final class SendingThreads {

  private final ThreadLocal<@Nullable Boolean> sending = new ThreadLocal<>();

  /** Returns whether the current thread is one. */
  boolean isSending() {
    return sending.get() != null;
  }

  /** Notes that the current thread is one; returns false if it was already. */
  boolean begin() {
    if (isSending()) {
      return false;
    }
    sending.set(true);
    return true;
  }

  /** Notes that the current thread is one no more. */
  void end() {
    sending.remove();
  }
}
