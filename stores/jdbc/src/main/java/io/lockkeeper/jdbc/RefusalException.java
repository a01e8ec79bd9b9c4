package io.lockkeeper.jdbc;

import io.lockkeeper.StoreProblem;

/** A clear no of the database to one step; its transaction is undone. */
final class RefusalException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  final StoreProblem problem;

  RefusalException(StoreProblem problem, String message) {
    super(message);
    this.problem = problem;
  }

  String text() {
    return String.valueOf(getMessage());
  }
}
