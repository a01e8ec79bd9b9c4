package io.lockkeeper.cli.console;

/** The exit statuses of {@code lockkeeper}. */
public final class ExitStatus {

  /** Done, and all is well. */
  public static final int OK = 0;

  /** Done, and what was checked does not hold. */
  public static final int FAILED = 1;

  /** The command line is wrong; nothing was done. */
  public static final int USAGE = 2;

  /** It could not be done: the store is out of reach, a file cannot be written, and the like. */
  public static final int CANNOT_RUN = 3;

  private ExitStatus() {}
}
