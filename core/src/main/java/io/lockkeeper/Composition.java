package io.lockkeeper;

import io.lockkeeper.compose.MultiLocks;
import io.lockkeeper.compose.QuorumNodes;
import java.util.Collection;

/** The door to what is made of locks: the one class of the API that knows the makers. */
final class Composition {

  private Composition() {}

  static MultiLock multiLock(Collection<? extends DistributedLock> locks) {
    return MultiLocks.of(locks);
  }

  static Quorum quorum(Collection<? extends Lockkeeper> keepers) {
    return QuorumNodes.of(keepers);
  }
}
