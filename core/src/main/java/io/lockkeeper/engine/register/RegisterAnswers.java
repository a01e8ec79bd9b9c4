package io.lockkeeper.engine.register;

import io.lockkeeper.LockkeeperException;
import io.lockkeeper.StoreProblem;
import io.lockkeeper.StoreRefusedException;
import io.lockkeeper.VersionedValue;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.runtime.StoreCalls;
import io.lockkeeper.engine.state.Failures;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellState;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Turns what the store says of registers into what callers want to hear. */
public final class RegisterAnswers {

  private RegisterAnswers() {}

  /** Waits through interrupts; throws what went wrong with the caller's own stack. */
  public static <T> T await(CompletableFuture<T> answer) {
    try {
      return StoreCalls.await(answer);
    } catch (LockkeeperException failure) {
      throw Failures.again(failure);
    }
  }

  /** Tells an asynchronous caller, on the client's executor, what a function makes of an answer. */
  public static <T, R> CompletableFuture<R> async(
      ClientRuntime runtime, CompletableFuture<T> answer, Function<T, R> function) {
    CompletableFuture<R> told = new CompletableFuture<>();
    CompletionStage<T> stage = answer;
    stage.whenComplete(
        (value, failure) -> runtime.execute(() -> tell(told, value, failure, function)));
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
    } catch (Throwable refused) { // an error too: the caller waits for it
      told.completeExceptionally(refused);
    }
  }

  /** Returns a result if the change was possible. */
  public static CellResult checked(CellId cell, CellChange change, CellResult result) {
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

  /** Returns the value that a register holds, if it is there. */
  public static Optional<VersionedValue> versioned(CellState state) {
    return state instanceof CellState.Present present
        ? Optional.of(new VersionedValue(present.version(), present.value().bytes()))
        : Optional.empty();
  }

  /** Returns the number that a register holds; 0 if it is not there. */
  public static long number(CellId cell, CellState state) {
    return state instanceof CellState.Present present
        ? present.value().number().orElseThrow(() -> notANumber(cell))
        : 0;
  }

  /** Returns the failure for a register that holds something else. */
  public static StoreRefusedException notANumber(CellId cell) {
    return new StoreRefusedException(
        StoreProblem.FOREIGN_RECORD, "'" + cell.name() + "' holds something that is not a number");
  }
}
