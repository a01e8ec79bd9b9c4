package io.lockkeeper.testkit.sim;

import io.lockkeeper.spi.StoreFactory;
import java.util.function.Consumer;

/** The store under simulation: one that lives in this process and takes its time from outside. */
public interface SimServer {

  /** Returns the way in for clients. */
  StoreFactory factory();

  /** Forgets everything, as an empty server after a restart, and lets the clients know. */
  void flush();

  /** Lets the clients know that they may have missed something. */
  void reconnect();

  /** Cuts off a client that has crashed. */
  void crash(String clientId);

  /** Returns whether nobody holds anything and nobody who is alive waits. */
  boolean isQuiet();

  /** Reports every grant, in the order in which they are made. */
  void onGrant(Consumer<SimGrant> watch);
}
