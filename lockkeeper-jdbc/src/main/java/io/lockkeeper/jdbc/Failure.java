package io.lockkeeper.jdbc;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.spi.Outcome;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;

/** Why an operation has no answer, as the engine is told. */
sealed interface Failure {

  /** The database said no. */
  record Refusal(StoreProblem problem, String message) implements Failure {
    @Override
    public <T> Outcome<T> toOutcome() {
      return Outcome.refused(problem, message);
    }
  }

  /** The database said nothing, or "not now". */
  record Doubt(Throwable cause) implements Failure {
    @Override
    public <T> Outcome<T> toOutcome() {
      return Outcome.unknown(cause);
    }
  }

  /** Returns this as the outcome of an operation. */
  <T> Outcome<T> toOutcome();

  /** No answer came in time. */
  static Failure late(long timeoutMillis) {
    return new Doubt(
        new SQLTimeoutException("the database did not answer within " + timeoutMillis + " ms"));
  }

  /** Returns what an error means for an operation that is not tried again. */
  static Failure of(Throwable error, Dialect dialect) {
    if (error instanceof RefusalException refusal) {
      return new Refusal(refusal.problem, refusal.text());
    } else if (!(error instanceof SQLException sql)) {
      return new Doubt(error);
    } else {
      String text = String.valueOf(sql.getMessage());
      return switch (dialect.verdict(sql)) {
        case AGAIN, UNKNOWN -> new Doubt(error);
        case DENIED -> new Refusal(StoreProblem.DENIED, text);
        case FULL -> new Refusal(StoreProblem.FULL, text);
        case NO_TABLE -> new Refusal(StoreProblem.OTHER, Schema.missing(dialect, text));
        case REFUSED -> new Refusal(StoreProblem.OTHER, text);
      };
    }
  }
}
