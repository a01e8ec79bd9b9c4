package io.lockkeeper.engine.state;

import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DeadlockException;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.engine.policy.Instants;
import java.time.Duration;
import java.util.function.Function;

/** Makes the exceptions that end a request, where the caller will see its own stack in them. */
public final class Failures {

  private Failures() {}

  /**
   * Returns the exception for a request that is over and was not granted.
   *
   * @param timedOut makes it from a message if the request ran out of time
   */
  public static RuntimeException of(
      String name, Waiter waiter, Function<String, AcquireTimeoutException> timedOut) {
    RuntimeException failure = waiter.failure;
    if (failure == null) {
      return timedOut.apply("'" + name + "' was not granted within " + waited(waiter));
    }
    return again(failure);
  }

  /** Returns a failure once more, with the stack of whoever asks for it. */
  public static RuntimeException again(RuntimeException failure) {
    String message = String.valueOf(failure.getMessage());
    if (failure instanceof StoreUnavailableException unavailable) {
      return new StoreUnavailableException(message, unavailable.getCause());
    }
    if (failure instanceof StoreRefusedException refused) {
      return new StoreRefusedException(refused.problem(), message);
    }
    if (failure instanceof DeadlockException deadlock) {
      return new DeadlockException(message, deadlock.cycle());
    }
    if (failure instanceof LockkeeperClosedException) {
      return new LockkeeperClosedException(message);
    }
    return failure;
  }

  private static Duration waited(Waiter waiter) {
    return waiter.deadlineNanos == Instants.NEVER
        ? Duration.ZERO
        : Duration.ofNanos(Math.max(0, waiter.deadlineNanos - waiter.startNanos));
  }
}
