package io.lockkeeper.spi;

import java.util.List;

/**
 * Examines a store: which promises hold there, as far as that depends on how the store is set up. A
 * kind of store that has nothing to set up needs none.
 *
 * <p>It looks at what only its own kind of store has: version, settings, persistence, replication,
 * clock. That locks work there, and how fast, is for anybody to try.
 */
@FunctionalInterface
public interface StoreDoctor {

  /**
   * Looks at the store, within the connect timeout and some request timeouts. Changes nothing
   * there. What it may not look at, because the account lacks a right, is no failure.
   *
   * @return what it has found, each subject once; bad findings say what to do
   * @throws io.lockkeeper.StoreUnavailableException if the store does not answer
   * @throws io.lockkeeper.StoreRefusedException if it refuses the client
   */
  List<Finding> examine(StoreContext context);
}
