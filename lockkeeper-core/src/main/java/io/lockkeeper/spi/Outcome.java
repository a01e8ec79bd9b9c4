package io.lockkeeper.spi;

import io.lockkeeper.StoreProblem;

/**
 * What became of a request to a store.
 *
 * @param <T> what the store answers when it answers
 */
public sealed interface Outcome<T> {

  /** The store did it, and this is its answer. */
  record Answered<T>(T answer) implements Outcome<T> {}

  /** The store said no, for good; nothing has changed there. */
  record Refused<T>(StoreProblem problem, String message) implements Outcome<T> {}

  /**
   * No answer, or one that means "not now": the request may or may not have been carried out, and
   * may even be carried out later. Asking again is safe.
   */
  record Unknown<T>(Throwable cause) implements Outcome<T> {}

  /** Returns an answer. */
  static <T> Outcome<T> answered(T answer) {
    return new Answered<>(answer);
  }

  /** Returns a refusal. */
  static <T> Outcome<T> refused(StoreProblem problem, String message) {
    return new Refused<>(problem, message);
  }

  /** Returns an unknown outcome. */
  static <T> Outcome<T> unknown(Throwable cause) {
    return new Unknown<>(cause);
  }
}
