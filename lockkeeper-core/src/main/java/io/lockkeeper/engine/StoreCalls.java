package io.lockkeeper.engine;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.spi.Outcome;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Questions to the store: an answer follows, whatever the store throws. */
final class StoreCalls {

  private static final int MAX_SIZE = 100;

  private StoreCalls() {}

  // ------------------------------------------------------------- told

  /**
   * Asks, and has the outcome told once. What the store throws is an unknown outcome; what the
   * receiver throws is logged.
   */
  static <T> void tell(
      BiConsumer<String, Throwable> failures,
      String name,
      Supplier<CompletionStage<Outcome<T>>> question,
      Consumer<Outcome<T>> receiver) {
    CompletionStage<Outcome<T>> stage = asked(question);
    stage.whenComplete(
        (outcome, broken) ->
            guarded(failures, name, () -> receiver.accept(known(outcome, broken))));
  }

  /**
   * As {@link #tell}, for many questions, a hundred to a request. The requests go out side by side,
   * and each item gets its own outcome, whatever becomes of the others.
   *
   * @param failures is told what receivers throw; throws nothing itself
   * @param name what an item is about, for the log
   */
  static <I, T> void tellEach(
      BiConsumer<String, Throwable> failures,
      List<I> items,
      Function<I, String> name,
      Function<List<I>, CompletionStage<List<Outcome<T>>>> question,
      BiConsumer<I, Outcome<T>> receiver) {
    for (int from = 0; from < items.size(); from += MAX_SIZE) {
      List<I> part = items.subList(from, Math.min(items.size(), from + MAX_SIZE));
      CompletionStage<List<Outcome<T>>> stage = asked(() -> question.apply(part));
      stage.whenComplete(
          (outcomes, broken) -> {
            for (int i = 0; i < part.size(); i++) {
              I item = part.get(i);
              Outcome<T> outcome = outcomes != null && i < outcomes.size() ? outcomes.get(i) : null;
              guarded(
                  failures, name.apply(item), () -> receiver.accept(item, known(outcome, broken)));
            }
          });
    }
  }

  /** Has something done that concerns one name; what it throws goes no further. */
  static void guarded(BiConsumer<String, Throwable> failures, String name, Runnable task) {
    try {
      task.run();
    } catch (Throwable failure) { // an error too: what comes next concerns others
      failures.accept("'" + name + "': an internal step failed", failure);
    }
  }

  private static <T> CompletionStage<T> asked(Supplier<CompletionStage<T>> question) {
    try {
      return Objects.requireNonNull(question.get(), "no answer is to come");
    } catch (Throwable broken) { // an error too: who asked goes on
      return CompletableFuture.failedFuture(broken);
    }
  }

  private static <T> Outcome<T> known(@Nullable Outcome<T> outcome, @Nullable Throwable broken) {
    return outcome != null
        ? outcome
        : Outcome.unknown(broken != null ? broken : new IllegalStateException("too few answers"));
  }

  // ------------------------------------------------------------- waited for

  /** Asks until the store answers or the client's patience is over. Waits through interrupts. */
  static <T> T ask(Engine engine, String name, Supplier<CompletionStage<Outcome<T>>> question) {
    long end = engine.now() + engine.policy().patienceNanos();
    boolean interrupted = false;
    try {
      for (int failures = 0; ; failures++) {
        Outcome<T> outcome = outcome(engine, asked(question).toCompletableFuture(), end);
        if (outcome instanceof Outcome.Answered<T> answered) {
          return answered.answer();
        }
        if (outcome instanceof Outcome.Refused<T> refused) {
          throw new StoreRefusedException(
              refused.problem(), "'" + name + "': " + refused.message());
        }
        Throwable cause = outcome instanceof Outcome.Unknown<T> unknown ? unknown.cause() : null;
        if (engine.now() >= end) {
          throw engine.policy().unavailable("'" + name + "': the store does not answer", cause);
        }
        engine.checkOpen(name);
        interrupted |= Thread.interrupted(); // with it nobody would park
        LockSupport.parkNanos(engine.policy().backoffNanos(failures));
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Asks once, and waits through interrupts, at most for the client's patience. */
  static <T> Outcome<T> once(Engine engine, Supplier<CompletionStage<Outcome<T>>> question) {
    return outcome(engine, asked(question).toCompletableFuture());
  }

  /** Waits through interrupts for what was asked before, at most for the client's patience. */
  static <T> Outcome<T> outcome(Engine engine, CompletableFuture<Outcome<T>> asked) {
    return outcome(engine, asked, engine.now() + engine.policy().patienceNanos());
  }

  private static <T> Outcome<T> outcome(
      Engine engine, CompletableFuture<Outcome<T>> asked, long end) {
    try {
      Uninterruptibly.Wait<Outcome<T>, Exception> answer =
          nanos -> known(asked.get(nanos, TimeUnit.NANOSECONDS), null);
      return Uninterruptibly.await(engine, end, answer);
    } catch (Exception e) { // it failed, was cancelled, or has not come in time
      return Outcome.unknown(e.getCause() == null ? e : e.getCause());
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

  /** Waits for a future through interrupts, and throws what it failed with. */
  static <T extends @Nullable Object> T await(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw rethrowable(e.getCause());
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
