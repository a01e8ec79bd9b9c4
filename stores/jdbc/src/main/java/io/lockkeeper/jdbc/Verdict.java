package io.lockkeeper.jdbc;

/** The meaning of an error of a database for the transaction that met it. */
enum Verdict {
  /** It lost against another transaction and is undone: to be run again. */
  AGAIN,
  /** The database did not answer, or not now: nobody knows what became of it. */
  UNKNOWN,
  /** The server, or this connection, takes no changes: another connection may lead to a primary. */
  READ_ONLY,
  /** The account may not do this. */
  DENIED,
  /** There is no room. */
  FULL,
  /** A table is not there. */
  NO_TABLE,
  /** The database says no to the request itself. */
  REFUSED
}
