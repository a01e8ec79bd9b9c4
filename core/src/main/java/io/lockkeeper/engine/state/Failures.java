package io.lockkeeper.engine.state;

import io.lockkeeper.AcquireTimeoutException;
import io.lockkeeper.DeadlockException;
import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.ResourceKind;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.spi.ResourceId;
import io.lockkeeper.spi.support.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Makes the exceptions that end a request, where the caller will see its own stack in them. */
public final class Failures {

  private Failures() {}

  /** Makes the exception for a wait in vain. */
  @FunctionalInterface
  public interface TimedOut {

    /**
     * Makes it.
     *
     * @param cause why the store had not answered last, or null if it had
     */
    AcquireTimeoutException of(String message, @Nullable Throwable cause);
  }

  /**
   * Returns the exception for a request that is over and was not granted.
   *
   * @param timedOut makes it if the request ran out of time
   */
  public static RuntimeException of(ResourceId resource, Waiter waiter, TimedOut timedOut) {
    RuntimeException failure = waiter.failure;
    return failure == null
        ? timedOut.of(inVain(resource, waiter), waiter.lastFailure)
        : again(failure);
  }

  /** Returns the text for a wait in vain. */
  private static String inVain(ResourceId resource, Waiter waiter) {
    String within = " within " + DurationText.of(waited(waiter));
    if (resource.kind() == ResourceKind.BARRIER) {
      return "'"
          + resource.name()
          + "': not all "
          + waiter.share.limit()
          + " parties came"
          + within;
    }
    Thread holder = waiter.holder;
    String held =
        holder == null ? "" : ": thread '" + holder.getName() + "' of this client holds it";
    return "'" + resource.name() + "' was not granted" + within + held;
  }

  /** Returns a failure once more, with the stack of the calling thread. */
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
