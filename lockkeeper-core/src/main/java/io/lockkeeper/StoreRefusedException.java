package io.lockkeeper;

/** The store answered, and the answer was a clear no. Nothing is held. */
public final class StoreRefusedException extends LockkeeperException {

  private static final long serialVersionUID = 1L;

  private final StoreProblem problem;

  /** Creates the exception. */
  public StoreRefusedException(StoreProblem problem, String message) {
    super(message, null);
    this.problem = problem;
  }

  /** Returns what kind of no it was. */
  public StoreProblem problem() {
    return problem;
  }
}
