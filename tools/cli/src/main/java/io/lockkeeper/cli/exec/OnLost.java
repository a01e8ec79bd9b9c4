package io.lockkeeper.cli.exec;

/** The choices for the command when its lock is lost. */
enum OnLost {
  /** It is asked to end (SIGTERM), and killed if it does not. */
  TERM,
  /** It is killed. */
  KILL,
  /** It goes on. */
  IGNORE
}
