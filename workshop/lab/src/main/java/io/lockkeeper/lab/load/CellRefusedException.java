package io.lockkeeper.lab.load;

/** An operation was refused and has changed nothing. */
public final class CellRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Creates one. */
  public CellRefusedException(Throwable cause) {
    super(cause);
  }
}
