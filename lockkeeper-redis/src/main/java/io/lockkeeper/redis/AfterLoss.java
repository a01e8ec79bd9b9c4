package io.lockkeeper.redis;

/**
 * The choices for locks at a server that may have forgotten something: it was flushed, restarted,
 * or took over from another.
 */
public enum AfterLoss {
  /**
   * Nothing is granted that others may still hold without the server's knowing, until the longest
   * lease that was asked for in the namespace must have ended. Holders go on. A server that has
   * just been started makes the first claims wait too. Not on a cluster, whose nodes forget one by
   * one.
   */
  WAIT,

  /**
   * Every lock is free at once. A holder from before may rely on its lease until its next renewal,
   * a third of the lease later: until then there can be two.
   */
  GRANT
}
