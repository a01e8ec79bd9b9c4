package io.lockkeeper.spi;

import java.util.List;

/**
 * Examines a store: which promises hold there, as far as that depends on the store's configuration.
 * A kind of store without configuration needs no doctor.
 *
 * <p>A doctor examines what only its own kind of store has: version, settings, persistence,
 * replication, clock. It does not try whether locks work there, because that needs no knowledge of
 * the store.
 */
@FunctionalInterface
public interface StoreDoctor {

  /**
   * Examines the store, within the connect timeout and some request timeouts. Changes nothing
   * there. A part that the account has no right to read is not a failure.
   *
   * @return the findings, each subject once; bad findings have advice
   * @throws io.lockkeeper.StoreUnavailableException if the store does not answer
   * @throws io.lockkeeper.StoreRefusedException if the store refuses the client
   */
  List<Finding> examine(StoreContext context);
}
