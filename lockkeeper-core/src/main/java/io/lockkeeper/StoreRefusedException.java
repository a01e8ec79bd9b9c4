package io.lockkeeper;

/** Thrown when the store refused the request. Nothing is held. */
public final class StoreRefusedException extends LockkeeperException {

  private static final long serialVersionUID = 1L;

  private final StoreProblem problem;

  /** Creates the exception. */
  public StoreRefusedException(StoreProblem problem, String message) {
    super(message, null);
    this.problem = problem;
  }

  /** Returns the reason for the refusal. */
  public StoreProblem problem() {
    return problem;
  }
}
