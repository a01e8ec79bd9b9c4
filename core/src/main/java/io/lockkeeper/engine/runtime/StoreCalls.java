package io.lockkeeper.engine.runtime;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.engine.policy.Instants;
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

/** Asks the store questions: an answer follows, whatever the store throws. */
public final class StoreCalls {

  private static final int MAX_SIZE = 100;

  private StoreCalls() {}

  // ------------------------------------------------------------- told

  /**
   * Asks, and tells the outcome once. What the store throws is an unknown outcome; what the
   * receiver throws is logged.
   */
  public static <T> void tell(
      ClientRuntime runtime,
      String name,
      Supplier<CompletionStage<Outcome<T>>> question,
      Consumer<Outcome<T>> receiver) {
    CompletionStage<Outcome<T>> stage = asked(question);
    stage.whenComplete(
        (outcome, broken) -> {
          Outcome<T> known = known(outcome, broken);
          runtime.log().heard(known);
          runtime.guarded(name, () -> receiver.accept(known));
        });
  }

  /**
   * As {@link #tell}, for many questions, a hundred to a request. The requests go out side by side,
   * and each item gets its own outcome, whatever becomes of the others.
   *
   * @param name what an item is about, for the log
   */
  public static <I, T> void tellEach(
      ClientRuntime runtime,
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
              Outcome<T> known = known(outcome, broken);
              runtime.log().heard(known);
              runtime.guarded(name.apply(item), () -> receiver.accept(item, known));
            }
          });
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
  public static <T> T ask(
      ClientRuntime runtime, String name, Supplier<CompletionStage<Outcome<T>>> question) {
    long end = Instants.after(runtime.now(), runtime.policy().patienceNanos());
    boolean interrupted = false;
    try {
      for (int failures = 0; ; failures++) {
        Outcome<T> outcome = outcome(runtime, asked(question).toCompletableFuture(), end);
        runtime.log().heard(outcome);
        if (outcome instanceof Outcome.Answered<T> answered) {
          return answered.answer();
        }
        if (outcome instanceof Outcome.Refused<T> refused) {
          throw new StoreRefusedException(
              refused.problem(), "'" + name + "': " + refused.message());
        }
        Throwable cause = outcome instanceof Outcome.Unknown<T> unknown ? unknown.cause() : null;
        if (runtime.now() >= end) {
          throw runtime.policy().unavailable("'" + name + "': the store does not answer", cause);
        }
        runtime.checkOpen(name);
        interrupted |= Thread.interrupted(); // with it nobody would park
        LockSupport.parkNanos(runtime.policy().backoffNanos(failures));
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Asks once, and waits through interrupts, at most for the client's patience. */
  public static <T> Outcome<T> once(
      ClientRuntime runtime, Supplier<CompletionStage<Outcome<T>>> question) {
    return outcome(runtime, asked(question).toCompletableFuture());
  }

  /** Asks once, and waits through interrupts, at most for so long. */
  public static <T> Outcome<T> once(
      ClientRuntime runtime, long waitNanos, Supplier<CompletionStage<Outcome<T>>> question) {
    long end = Instants.after(runtime.now(), waitNanos);
    return outcome(runtime, asked(question).toCompletableFuture(), end);
  }

  /** Waits through interrupts for what was asked before, at most for the client's patience. */
  public static <T> Outcome<T> outcome(ClientRuntime runtime, CompletableFuture<Outcome<T>> asked) {
    return outcome(runtime, asked, Instants.after(runtime.now(), runtime.policy().patienceNanos()));
  }

  private static <T> Outcome<T> outcome(
      ClientRuntime runtime, CompletableFuture<Outcome<T>> asked, long end) {
    try {
      Uninterruptibly.Wait<Outcome<T>, Exception> answer =
          nanos -> known(asked.get(nanos, TimeUnit.NANOSECONDS), null);
      return Uninterruptibly.await(runtime, end, answer);
    } catch (Exception e) { // it failed, was cancelled, or has not come in time
      return Outcome.unknown(e.getCause() == null ? e : e.getCause());
    }
  }

  /**
   * Asks for the end of something that was there a moment ago, and returns whether it ended by
   * that. It did also if the answer that says so was lost, and it was not there any more when the
   * store was asked again.
   */
  public static <T> boolean ended(
      ClientRuntime runtime,
      String name,
      Supplier<CompletionStage<Outcome<T>>> question,
      Predicate<T> ended) {
    AtomicInteger attempts = new AtomicInteger();
    T answer =
        ask(
            runtime,
            name,
            () -> {
              attempts.incrementAndGet();
              return question.get();
            });
    return ended.test(answer) || attempts.get() > 1;
  }

  /** Waits for a future through interrupts, and throws what it failed with. */
  public static <T extends @Nullable Object> T await(CompletableFuture<T> future) {
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
