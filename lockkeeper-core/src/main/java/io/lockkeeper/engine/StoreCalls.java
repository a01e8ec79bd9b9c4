package io.lockkeeper.engine;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.spi.Outcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Questions to the store that their caller waits for. */
final class StoreCalls {

  private StoreCalls() {}

  /** Asks until the store answers or the client's patience is over. Waits through interrupts. */
  static <T> T ask(Engine engine, String name, Supplier<CompletionStage<Outcome<T>>> question) {
    long start = engine.now();
    for (int failures = 0; ; failures++) {
      Outcome<T> outcome = await(question.get().toCompletableFuture());
      if (outcome instanceof Outcome.Answered<T> answered) {
        return answered.answer();
      }
      if (outcome instanceof Outcome.Refused<T> refused) {
        throw new StoreRefusedException(refused.problem(), "'" + name + "': " + refused.message());
      }
      Throwable cause = outcome instanceof Outcome.Unknown<T> unknown ? unknown.cause() : null;
      if (engine.now() - start >= engine.policy().patienceNanos()) {
        throw engine.policy().unavailable("'" + name + "': the store does not answer", cause);
      }
      engine.checkOpen(name);
      LockSupport.parkNanos(engine.policy().backoffNanos(failures));
    }
  }

  /**
   * Asks for the end of something that was there a moment ago, and returns whether it ended by
   * that. It did also if the answer that says so was lost, and it was not there any more when the
   * store was asked again.
   */
  static <T> boolean ended(
      Engine engine,
      String name,
      Supplier<CompletionStage<Outcome<T>>> question,
      Predicate<T> ended) {
    AtomicInteger attempts = new AtomicInteger();
    T answer =
        ask(
            engine,
            name,
            () -> {
              attempts.incrementAndGet();
              return question.get();
            });
    return ended.test(answer) || attempts.get() > 1;
  }

  /** Waits through interrupts for what was asked before, at most for the client's patience. */
  static <T> Outcome<T> outcome(Engine engine, CompletableFuture<Outcome<T>> asked) {
    boolean interrupted = false;
    long end = engine.now() + engine.policy().patienceNanos();
    try {
      while (true) {
        try {
          return asked.get(end - engine.now(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException | TimeoutException e) {
          return Outcome.unknown(e.getCause() == null ? e : e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits for a future through interrupts, and throws what it failed with. */
  static <T extends @Nullable Object> T await(CompletableFuture<T> future) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw rethrowable(e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException rethrowable(@Nullable Throwable cause) {
    if (cause instanceof LockkeeperException known) {
      return known;
    }
    return cause instanceof RuntimeException unchecked
        ? unchecked
        : new IllegalStateException(cause);
  }
}
