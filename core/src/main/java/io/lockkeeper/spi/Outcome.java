package io.lockkeeper.spi;

import io.lockkeeper.StoreProblem;

/**
 * The outcome of a request to a store.
 *
 * @param <T> the type of the store's answer
 */
public sealed interface Outcome<T> {

  /** The store carried the request out and gave this answer. */
  record Answered<T>(T answer) implements Outcome<T> {}

  /** The store refused the request for good. Nothing has changed there. */
  record Refused<T>(StoreProblem problem, String message) implements Outcome<T> {}

  /**
   * The store gave no answer, or one that means "not now". The request may or may not have been
   * carried out, and may even be carried out later. Retrying is safe.
   */
  record Unknown<T>(Throwable cause) implements Outcome<T> {}

  /** Returns an outcome with an answer. */
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
