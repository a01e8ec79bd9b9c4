package io.lockkeeper.memory;

import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.testkit.tck.TckStore;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A memory server for one test. */
final class MemoryTckStore implements TckStore {

  private final String name = "tck-" + UUID.randomUUID();
  private final MemoryServer server = MemoryServer.named(name);

  @Override
  public StoreFactory factory() {
    return server.factory();
  }

  @Override
  public String url() {
    return "memory:" + name;
  }

  @Override
  public Optional<String> unreachableUrl() {
    return Optional.empty();
  }

  @Override
  public boolean loseEverything() {
    server.flush();
    return true;
  }

  @Override
  public String residue(String namespace) {
    Stream<Object> resources =
        server.snapshot().stream()
            .filter(state -> state.namespace().startsWith(namespace) && state.isAlive())
            .map(state -> state);
    Stream<Object> cells =
        server.cells().stream()
            .filter(cell -> cell.namespace().startsWith(namespace))
            .map(cell -> cell);
    return Stream.concat(resources, cells).map(Object::toString).collect(Collectors.joining("\n"));
  }

  @Override
  public void close() {}
}
