package io.lockkeeper.spi.record;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.spi.Outcome;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/** Passes outcomes on, on their way up. */
final class Outcomes {

  private Outcomes() {}

  /** Runs a task with an outcome; nobody waits for that. */
  @SuppressWarnings("FutureReturnValueIgnored")
  static <T> void whenKnown(CompletionStage<T> stage, Consumer<T> task) {
    stage.thenAccept(task);
  }

  /** Returns what an answer means; what is no answer stays what it is. */
  static <A, T> Outcome<T> map(Outcome<A> outcome, Function<A, T> meaning) {
    if (!(outcome instanceof Outcome.Answered<A> answered)) {
      return failed(outcome);
    }
    try {
      return Outcome.answered(meaning.apply(answered.answer()));
    } catch (ForeignRecordException foreign) {
      return foreign(foreign);
    }
  }

  static <T> Outcome<T> foreign(ForeignRecordException foreign) {
    return Outcome.refused(StoreProblem.FOREIGN_RECORD, String.valueOf(foreign.getMessage()));
  }

  /** Returns what is no answer as an outcome of something else. */
  static <T> Outcome<T> failed(Outcome<?> outcome) {
    return outcome instanceof Outcome.Refused<?> refused
        ? Outcome.refused(refused.problem(), refused.message())
        : outcome instanceof Outcome.Unknown<?> unknown
            ? Outcome.unknown(unknown.cause())
            : Outcome.unknown(new IllegalStateException("not a failure"));
  }
}
