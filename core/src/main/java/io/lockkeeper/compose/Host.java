package io.lockkeeper.compose;

import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.Scheduler;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of a client that multi-locks, quorums and elections need: time, a timer, threads,
 * randomness.
 */
public interface Host {

  /** Returns the client's monotonic time. */
  long nanos();

  /**
   * Runs {@code task} once on the client's executor: after {@code delayNanos}, or when the client
   * closes, whichever is first. So nobody waits for a timer that has stopped.
   */
  Scheduler.Cancellable later(Runnable task, long delayNanos);

  /** Runs user code. */
  void execute(Runnable task);

  /**
   * Makes an empty queue.
   *
   * @param owner whose it is, for the log
   */
  SerialQueue serialQueue(String owner);

  /** Returns a random number from 0 to {@code bound}, without it. */
  long random(long bound);

  /** Returns how long a wait goes on without any answer from the store. */
  long patienceNanos();

  /**
   * Returns what to throw if a wait is over in vain: the message, and why the store grants nothing.
   */
  AcquireTimeoutException timedOut(String message);

  /** Returns whether the client is closed. */
  boolean isClosed();

  /** Logs that something of the user's failed. */
  void reportFailure(String what, Throwable failure);

  /** Asks the store who holds a resource. Blocks. */
  Optional<Holder> holder(ResourceKind kind, String name);

  /**
   * The holder of a lock.
   *
   * @param clientId the client
   * @param clientName its name, or null if the store does not know it
   * @param token the first token of its grant
   */
  record Holder(String clientId, @Nullable String clientName, long token) {}
}
