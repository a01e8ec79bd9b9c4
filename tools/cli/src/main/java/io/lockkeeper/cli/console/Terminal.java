package io.lockkeeper.cli.console;

/** The launcher's findings about the terminal. */
public final class Terminal {

  /** The property in which the launcher says whether standard error is a terminal. */
  private static final String PROPERTY = "lockkeeper.terminal";

  private Terminal() {}

  /** Returns whether a person watches standard error. */
  public static boolean isWatched() {
    return Boolean.getBoolean(PROPERTY);
  }
}
