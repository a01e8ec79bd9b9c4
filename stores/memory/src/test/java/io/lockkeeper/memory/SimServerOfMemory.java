package io.lockkeeper.memory;

import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.TimeSource;
import io.lockkeeper.testkit.sim.SimGrant;
import io.lockkeeper.testkit.sim.SimServer;
import java.util.function.Consumer;

/** The memory server as a simulation wants it. */
final class SimServerOfMemory implements SimServer {

  private final MemoryServer server;

  SimServerOfMemory(TimeSource time) {
    server = new MemoryServer(time);
  }

  @Override
  public StoreFactory factory() {
    return server.factory();
  }

  @Override
  public void flush() {
    server.flush();
    server.reconnect();
  }

  @Override
  public void reconnect() {
    server.reconnect();
  }

  @Override
  public void crash(String clientId) {
    server.abandon(clientId);
  }

  @Override
  public boolean isQuiet() {
    return server.isQuiet();
  }

  @Override
  public void onGrant(Consumer<SimGrant> watch) {
    server.onGrant(
        record ->
            watch.accept(
                new SimGrant(
                    record.resource(),
                    record.clientId(),
                    record.claims().stream().map(GrantRecord.Admitted::claim).toList(),
                    record.claims().stream().map(GrantRecord.Admitted::arrival).toList(),
                    record.firstToken(),
                    record.lastToken())));
  }
}
