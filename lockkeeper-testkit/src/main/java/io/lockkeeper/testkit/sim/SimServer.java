package io.lockkeeper.testkit.sim;

import io.lockkeeper.spi.StoreFactory;
import java.util.List;

/** The store under simulation: one that lives in this process and takes its time from outside. */
public interface SimServer {

  /** Returns the way in for clients. */
  StoreFactory factory();

  /** Forgets everything, as an empty server after a restart, and lets the clients know. */
  void flush();

  /** Cuts off a client that has crashed. */
  void crash(String clientId);

  /** Returns whether nobody holds anything and nobody who is alive waits. */
  boolean isQuiet();

  /** Has every grant reported, in the order in which they are made. */
  void onGrant(GrantWatch watch);

  /** Hears of grants. */
  @FunctionalInterface
  interface GrantWatch {

    /**
     * Called for each grant.
     *
     * @param arrivals the places of its claims in the order of arrival
     * @param firstToken the first token of its block
     * @param lastToken the last
     */
    void granted(
        String resource, String clientId, List<Long> arrivals, long firstToken, long lastToken);
  }
}
