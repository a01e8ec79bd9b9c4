package io.lockkeeper.examples.store;

import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.testkit.tck.TckStore;
import io.lockkeeper.testkit.tck.store.RecordResidue;
import java.util.Optional;
import java.util.UUID;

/** A server of maps for one test. */
final class MapsTckStore implements TckStore {

  private final String name = "tck-" + UUID.randomUUID();
  private final MapsServer server = MapsServer.named(name);

  @Override
  public StoreFactory factory() {
    return server.factory();
  }

  @Override
  public String url() {
    return "maps:" + name;
  }

  @Override
  public Optional<String> unreachableUrl() {
    return Optional.empty();
  }

  @Override
  public boolean loseEverything() {
    server.forget(key -> !key.contains("/m/")); // the clients stay known
    return true;
  }

  @Override
  public String residue(String namespace) {
    return RecordResidue.of(server.factory(), namespace, server.keys());
  }

  @Override
  public void close() {}
}
