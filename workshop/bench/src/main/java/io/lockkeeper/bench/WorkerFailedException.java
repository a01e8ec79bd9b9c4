package io.lockkeeper.bench;

/** A worker could not do what it was told, or does not answer. */
final class WorkerFailedException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String problem;

  WorkerFailedException(String problem) {
    super(problem);
    this.problem = problem;
  }

  /** Returns what went wrong, in one line. */
  String problem() {
    return problem;
  }
}
