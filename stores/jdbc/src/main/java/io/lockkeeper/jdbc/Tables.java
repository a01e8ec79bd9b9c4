package io.lockkeeper.jdbc;

/** The choices for tables that are not there when a client connects. */
public enum Tables {
  /** They are created; the account must be allowed to. */
  CREATE,
  /** Connecting fails, with a message that names the table and the file that creates it. */
  EXPECT
}
