package io.lockkeeper.engine;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellState;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the store says of cells, as callers want to hear it. */
final class CellAnswers {

  private CellAnswers() {}

  /** Waits through interrupts; throws what went wrong with the caller's own stack. */
  static <T> T await(CompletableFuture<T> answer) {
    try {
      return StoreCalls.await(answer);
    } catch (LockkeeperException failure) {
      throw Failures.again(failure);
    }
  }

  /** Tells an asynchronous caller, on the client's executor, what a function makes of an answer. */
  static <T, R> CompletableFuture<R> async(
      Engine engine, CompletableFuture<T> answer, Function<T, R> function) {
    CompletableFuture<R> told = new CompletableFuture<>();
    CompletionStage<T> stage = answer;
    stage.whenComplete(
        (value, failure) -> engine.execute(() -> tell(told, value, failure, function)));
    return told;
  }

  private static <T, R> void tell(
      CompletableFuture<R> told, T value, @Nullable Throwable failure, Function<T, R> function) {
    if (failure != null) {
      told.completeExceptionally(failure);
      return;
    }
    try {
      told.complete(function.apply(value));
    } catch (Throwable refused) { // an error too: whoever waits must hear of it
      told.completeExceptionally(refused);
    }
  }

  /** Returns a result if the change was possible. */
  static CellResult checked(CellId cell, CellChange change, CellResult result) {
    return switch (result.verdict()) {
      case DONE, UNMET -> result;
      case NOT_A_NUMBER -> throw notANumber(cell);
      case OVERFLOW ->
          throw new ArithmeticException(
              "'%s': %d and %s do not fit into 64 bits"
                  .formatted(
                      cell.name(),
                      result.before(),
                      change instanceof CellChange.Add add ? Long.toString(add.delta()) : change));
    };
  }

  /** Returns the number that a cell holds; 0 if it is not there. */
  static long number(CellId cell, CellState state) {
    return state instanceof CellState.Present present
        ? present.value().number().orElseThrow(() -> notANumber(cell))
        : 0;
  }

  static StoreRefusedException notANumber(CellId cell) {
    return new StoreRefusedException(
        StoreProblem.FOREIGN_RECORD, "'" + cell.name() + "' holds something that is not a number");
  }
}
