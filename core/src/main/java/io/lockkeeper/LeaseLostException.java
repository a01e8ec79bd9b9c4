package io.lockkeeper;

/**
 * Thrown to a caller that counted on a lease that was lost. The present holder of the resource is
 * not affected.
 */
public final class LeaseLostException extends LockkeeperException {

  private static final long serialVersionUID = 1L;

  private final LeaseLost loss;

  /** Creates the exception for this loss. */
  public LeaseLostException(LeaseLost loss) {
    super(loss.toString(), null);
    this.loss = loss;
  }

  /** Returns what was lost and why. */
  public LeaseLost loss() {
    return loss;
  }
}
