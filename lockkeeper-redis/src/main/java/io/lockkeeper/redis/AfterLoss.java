package io.lockkeeper.redis;

/** What becomes of locks after a server has lost its memory: restarted empty, or flushed. */
public enum AfterLoss {
  /**
   * No lock that the server does not remember is granted until the leases that it has forgotten
   * must have ended: for as long as the longest lease that the client which notices has ever asked
   * for. Not on a cluster, whose nodes forget one by one.
   */
  WAIT,

  /**
   * Every lock is free at once. A holder from before may rely on its lease until its next renewal,
   * a third of the lease later: until then there can be two.
   */
  GRANT
}
