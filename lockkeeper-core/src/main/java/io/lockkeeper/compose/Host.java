package io.lockkeeper.compose;

import io.lockkeeper.ResourceKind;
import io.lockkeeper.spi.Scheduler;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What is made of locks needs this of their client: time, a timer, threads, and randomness. */
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
   * Makes an empty mailbox.
   *
   * @param owner whose it is, for the log
   */
  Mailbox mailbox(String owner);

  /** Returns a random number from 0 to {@code bound}, without it. */
  long random(long bound);

  /** Returns how long a wait goes on without any answer from the store. */
  long patienceNanos();

  /** Returns whether the client is closed. */
  boolean isClosed();

  /** Logs that something of the user's failed. */
  void reportFailure(String what, Throwable failure);

  /** Asks the store who holds a resource. Blocks. */
  Optional<Holder> holder(ResourceKind kind, String name);

  /**
   * Who holds a lock.
   *
   * @param clientId the client
   * @param clientName its name, or null if the store does not know it
   * @param token the first token of its grant
   */
  record Holder(String clientId, @Nullable String clientName, long token) {}
}
