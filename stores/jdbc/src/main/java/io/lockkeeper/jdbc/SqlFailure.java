package io.lockkeeper.jdbc;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.spi.Outcome;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;

/** The reason why an operation has no answer, for the engine. */
sealed interface SqlFailure {

  /** The database said no. */
  record Refusal(StoreProblem problem, String message) implements SqlFailure {
    @Override
    public <T> Outcome<T> toOutcome() {
      return Outcome.refused(problem, message);
    }
  }

  /** The database said nothing, or "not now". */
  record Doubt(Throwable cause) implements SqlFailure {
    @Override
    public <T> Outcome<T> toOutcome() {
      return Outcome.unknown(cause);
    }
  }

  /** Returns whether it came of something that no program expects. */
  default boolean isOfError() {
    return this instanceof Doubt doubt && doubt.cause() instanceof Error;
  }

  /** Returns whether the connection leads to where nothing can be changed. */
  default boolean isReadOnly() {
    return this instanceof Doubt doubt && doubt.cause() instanceof ReadOnlyException;
  }

  /** Returns this as the outcome of an operation. */
  <T> Outcome<T> toOutcome();

  /** No answer came in time. */
  static SqlFailure late(long timeoutMillis) {
    return new Doubt(
        new SQLTimeoutException("the database did not answer within " + timeoutMillis + " ms"));
  }

  /**
   * Returns what an error means for an operation that is not tried again.
   *
   * @param about what the operation is about, as in {@link Transactions#ask}
   */
  static SqlFailure of(Throwable error, Dialect dialect, String about) {
    if (error instanceof RefusalException refusal) {
      return new Refusal(refusal.problem, refusal.text());
    } else if (isOfRows(error) || isViolation(error, dialect)) {
      return new Refusal(
          StoreProblem.FOREIGN_RECORD,
          "the rows of " + about + " hold what Lockkeeper did not write: " + error);
    } else if (!(error instanceof SQLException sql)) {
      return new Doubt(error);
    } else {
      String text = dialect.explained(sql);
      return switch (dialect.verdict(sql)) {
        case AGAIN, UNKNOWN -> new Doubt(error);
        case READ_ONLY -> new Doubt(new ReadOnlyException(sql));
        case DENIED -> new Refusal(StoreProblem.DENIED, text);
        case FULL -> new Refusal(StoreProblem.FULL, text);
        case NO_TABLE -> new Refusal(StoreProblem.OTHER, Schema.missing(dialect, text));
        case REFUSED -> new Refusal(StoreProblem.OTHER, text + " (about " + about + ")");
      };
    }
  }

  /**
   * Returns whether a constraint forbids the change, however often it was tried: the first time
   * somebody may have been quicker, in the end it is the rows.
   */
  private static boolean isViolation(Throwable error, Dialect dialect) {
    return error instanceof SQLException sql && dialect.isViolation(sql);
  }

  /** Returns whether a rule has come upon values that it cannot work with. */
  private static boolean isOfRows(Throwable error) {
    return error instanceof IllegalArgumentException
        || error instanceof IndexOutOfBoundsException
        || error instanceof ArithmeticException
        || error instanceof NullPointerException;
  }
}
