package io.lockkeeper;

import org.jspecify.annotations.Nullable;

/** Thrown when the store refused the request. Nothing is held. */
public final class StoreRefusedException extends LockkeeperException {

  private static final long serialVersionUID = 1L;

  private final StoreProblem problem;

  /** Creates the exception. */
  public StoreRefusedException(StoreProblem problem, String message) {
    this(problem, message, null);
  }

  /** Creates the exception, with the failure behind it if there is one. */
  public StoreRefusedException(StoreProblem problem, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.problem = problem;
  }

  /** Returns the reason for the refusal. */
  public StoreProblem problem() {
    return problem;
  }
}
