package io.lockkeeper.spi.support;

import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.StoreUnavailableException;
import io.lockkeeper.spi.Outcome;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Handles the answers of a driver. */
public final class Answers {

  private Answers() {}

  /** Returns what a future failed with, without what futures wrap around it. */
  public static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /**
   * Waits for the first answer of a server to a client that connects. An interrupt ends the wait
   * and stays set.
   *
   * @param where names the server, for messages
   * @throws StoreRefusedException if the server refuses the request
   * @throws StoreUnavailableException if there is no answer in time, or the thread is interrupted
   */
  public static <T> T first(CompletionStage<Outcome<T>> answer, Duration limit, String where) {
    Outcome<T> outcome;
    try {
      outcome = answer.toCompletableFuture().get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailableException("interrupted while connecting to " + where, null);
    } catch (TimeoutException e) {
      throw new StoreUnavailableException(
          "no answer from " + where + " within " + limit.toMillis() + " ms", null);
    } catch (ExecutionException e) {
      throw new StoreUnavailableException(
          "cannot use " + where, Objects.requireNonNull(e.getCause()));
    }
    if (outcome instanceof Outcome.Refused<T> refused) {
      throw new StoreRefusedException(refused.problem(), refused.message());
    } else if (outcome instanceof Outcome.Unknown<T> unknown) {
      throw new StoreUnavailableException("cannot use " + where, cause(unknown.cause()));
    }
    return ((Outcome.Answered<T>) outcome).answer();
  }

  /** Does what an interrupt would break off; the thread's interrupt is set again afterwards. */
  public static <T> T uninterrupted(Supplier<T> action) {
    boolean wasInterrupted = Thread.interrupted();
    try {
      return action.get();
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Does what an interrupt would break off; the thread's interrupt is set again afterwards. */
  public static void uninterrupted(Runnable action) {
    uninterrupted(
        () -> {
          action.run();
          return true;
        });
  }
}
