package io.lockkeeper.testkit.sim;

import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.StoreFactory;
import java.util.function.Consumer;

/**
 * A server whose clients run the real store, below which each request is simulated: its way there,
 * its execution and its answer. So the answers of a store are not one step of the simulation, and
 * the server does not know what a grant is.
 */
public interface SimProtocol extends SimServer {

  /** Opens the store of a client, which may call nothing that blocks. */
  Store open(SimHost host, StoreContext context);

  @Override
  default StoreFactory factory() {
    throw new UnsupportedOperationException("its stores belong to processes");
  }

  /** It forgets nothing. */
  @Override
  default void flush() {}

  @Override
  default void reconnect() {}

  @Override
  default void onGrant(Consumer<SimGrant> watch) {}
}
