package io.lockkeeper.jdbc;

import io.lockkeeper.spi.Outcome;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A step that has been asked for, and its outcome to come. A call whose outcome is known before it
 * is begun (its time was up) is not begun any more.
 */
final class PendingStep<T> {

  /** The subject: calls about the same one are done in the order in which they were asked. */
  final String about;

  final long deadlineNanos;
  final CompletableFuture<Outcome<T>> outcome = new CompletableFuture<>();
  private final Step<T> step;

  /** The answer of the latest run; of the thread that runs it. */
  private @Nullable T answer;

  PendingStep(String about, long deadlineNanos, Step<T> step) {
    this.about = about;
    this.deadlineNanos = deadlineNanos;
    this.step = step;
  }

  /** Returns whether it shares no transaction with others. */
  boolean isSolitary() {
    return step.isSolitary();
  }

  /** Tries it with a statement alone, and returns whether that did it. */
  boolean runAlone(SqlSession session) throws java.sql.SQLException {
    answer = step.alone(session);
    return answer != null;
  }

  /** Runs it within a transaction. */
  void run(SqlSession session) throws java.sql.SQLException {
    answer = step.run(session);
  }

  /** Makes what the latest run answered the outcome: it has been committed. */
  void succeed() {
    T done = answer;
    if (done != null) {
      outcome.complete(Outcome.answered(done));
    }
  }

  void fail(SqlFailure failure) {
    outcome.complete(failure.toOutcome());
  }
}
