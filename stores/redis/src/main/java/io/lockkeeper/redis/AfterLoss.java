package io.lockkeeper.redis;

/**
 * The choices for locks at a server that may have forgotten something: it was flushed, restarted,
 * or took over from another. While a server waits, nothing is granted that others may still hold
 * without its knowing; holders go on. A cluster does not wait, as its nodes forget one by one.
 */
public enum AfterLoss {
  /**
   * A server that was started without any record waits for clients that were connected before:
   * until two seconds after its start, or as {@code quarantine} says, and at least half as long
   * from its first client. Each client tries to connect again twice a second, and reports. If one
   * does in time, the server waits until the longest lease that was asked for in the namespace must
   * have ended; if none does, it grants. So a client that holds something, runs on, cannot report
   * in time, because it is cut off or stopped, and is the only one from before, can have its lock
   * given to another. After a flush or a failover the server waits as with {@link #WAIT}.
   */
  ASK,

  /**
   * A server waits until the longest lease that was asked for in the namespace must have ended,
   * counted from the moment at which it lost its memory. A server that has just been started makes
   * the first claims wait that long too.
   */
  WAIT,

  /**
   * Every lock is free at once. A holder from before may rely on its lease until its next renewal,
   * a third of the lease later: until then there can be two.
   */
  GRANT
}
