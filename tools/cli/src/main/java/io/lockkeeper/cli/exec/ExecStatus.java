package io.lockkeeper.cli.exec;

/**
 * The exit statuses that {@code exec} has of its own. Every other one is the command's.
 *
 * <p>They are not the small numbers that other commands of {@code lockkeeper} use, because those
 * are what most programs fail with, and a script has to tell the two apart. Numbers from 64 on are
 * those of {@code sysexits.h}, and 126 and 127 are the shell's.
 */
public final class ExecStatus {

  /** The command line of {@code exec} is wrong; nothing was run. */
  public static final int USAGE = 64;

  /** The store is out of reach or refuses; nothing was run. */
  public static final int STORE = 69;

  /** The lock was not free in time; nothing was run. "Try again later" in {@code sysexits.h}. */
  public static final int CONFLICT = 75;

  /** The lock was lost while the command ran, and it was told to stop. */
  public static final int LOST = 76;

  /** The command is there and cannot be run. */
  public static final int CANNOT_EXECUTE = 126;

  /** There is no such command. */
  public static final int NOT_FOUND = 127;

  /** Added to the number of a signal. */
  static final int SIGNAL_BASE = 128;

  private ExecStatus() {}
}
