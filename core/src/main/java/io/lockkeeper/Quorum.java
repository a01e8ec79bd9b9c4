package io.lockkeeper;

import java.util.List;

/**
 * Several independent nodes, whose locks are held when a majority of the nodes holds them. Such a
 * lock survives the loss of a minority: of one node in three, of two in five.
 *
 * <p>Each node is one client of one store. The stores must be independent of each other: servers on
 * different machines, none the replica of another. The quorum uses the clients and does not close
 * them. Each has to be reachable when its client connects; after that a minority may be away. All
 * processes must use the same nodes for one name, in the same order.
 *
 * <p>This is the majority lock of the public description for Redis servers, with three differences:
 * contenders wait in the nodes' queues instead of polling; a lost node is acquired again while the
 * lock is held, so that a lock outlives nodes that come and go; and there is a fencing token
 * ({@link QuorumToken}).
 *
 * <p><b>Requirements.</b> A node must not forget what it has confirmed for as long as a lease
 * lasts: a node that restarts empty could grant the same lock again. Redis nodes of this library
 * wait after a loss of memory that they notice; see the table in {@code docs/SPEC.md}.
 */
public interface Quorum {

  /**
   * Returns the lock of this name with default options.
   *
   * @throws IllegalArgumentException if the name is empty, too long or has control characters
   */
  default QuorumLock lock(String name) {
    return lock(name, QuorumOptions.defaults());
  }

  /** As {@link #lock(String)}, with options. */
  QuorumLock lock(String name, QuorumOptions options);

  /** Returns the clients of the nodes. */
  List<Lockkeeper> keepers();

  /** Returns how many nodes are a majority. */
  int majority();
}
