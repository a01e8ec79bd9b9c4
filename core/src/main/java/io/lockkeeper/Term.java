package io.lockkeeper;

import java.time.Duration;

/** One candidate's time as the leader. */
public interface Term {

  /** Returns the election's name. */
  String election();

  /**
   * Returns the fencing token: larger than that of every earlier term of this election. Send it
   * with every request of the leader, and have the receivers refuse a smaller one.
   */
  long token();

  /**
   * Returns whether this term still lasts: no two terms of an election are valid at once. No I/O,
   * no blocking.
   */
  boolean isValid();

  /** Returns how long this term lasts if nothing renews it; zero if it is not valid. */
  Duration remaining();
}
