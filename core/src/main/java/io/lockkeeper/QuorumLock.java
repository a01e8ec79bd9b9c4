package io.lockkeeper;

import java.util.concurrent.locks.Lock;

/**
 * A lock that is held at a majority of independent nodes.
 *
 * <p><b>How it is taken.</b> All nodes are asked at once. The lock is held as soon as a majority
 * has granted it with leases that are valid; a node that answers later joins or is left out. An
 * attempt that cannot reach a majority any more is released at all nodes and repeated after a
 * random pause, until the limit on the wait; a wait of zero or less is one attempt, which takes at
 * most the node timeout. A node that does not answer costs nothing as long as a majority does, and
 * otherwise one {@link QuorumOptions#nodeTimeout()} per attempt. Waiters are not ordered.
 *
 * <p><b>How long it is valid.</b> At each node for the lease, less the time since the request was
 * sent, less one percent and two milliseconds; as a whole as long as at a majority.
 *
 * <p>It uses the lock of this name at each node, so it excludes, and competes with, holders of that
 * name at single nodes. A store that does not answer or refuses counts only if there is no majority
 * without it. Apart from that it behaves as {@link DistributedLock}: owned by a thread and
 * re-entrant by quorum, name and thread as a {@link Lock}, by its handle as a {@link QuorumLease}.
 */
public interface QuorumLock extends LeaseLock<QuorumLease> {

  /** Returns the resource's name. */
  String name();

  /**
   * Returns the fencing token of the current thread's hold.
   *
   * @throws IllegalMonitorStateException if the current thread does not hold this lock
   * @throws LeaseLostException if the current thread held it and has lost it
   */
  QuorumToken token();
}
