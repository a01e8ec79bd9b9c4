package io.lockkeeper.examples.store;

import static io.lockkeeper.testkit.tck.store.StoreProbe.answer;
import static io.lockkeeper.testkit.tck.store.StoreProbe.get;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.TckStore;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
    server.forget(key -> !key.contains("/m/"));
    return true;
  }

  /** Records are left that say what was done, for a while, and who died; nobody holds anything. */
  @Override
  public String residue(String namespace) {
    return server.keys().stream()
        .map(key -> decoded(key.substring(0, key.indexOf('/'))))
        .filter(found -> found.startsWith(namespace))
        .distinct()
        .flatMap(this::left)
        .collect(Collectors.joining("\n"));
  }

  private Stream<String> left(String namespace) {
    try (StoreProbe probe = new StoreProbe(server.factory(), namespace, Timings.DEFAULT)) {
      List<String> resources =
          answer(get(probe.store.resources())).stream()
              .filter(id -> !answer(get(probe.store.inspect(id))).isIdle())
              .map(String::valueOf)
              .toList();
      List<String> cells =
          server.keys().stream()
              .map(key -> key.split("/", -1))
              .filter(parts -> decoded(parts[0]).equals(namespace) && parts[1].equals("c"))
              .map(parts -> new CellId(CellKind.of(parts[2]), decoded(parts[3])))
              .filter(id -> isPresent(probe, id))
              .map(String::valueOf)
              .toList();
      return Stream.concat(resources.stream(), cells.stream());
    }
  }

  private static boolean isPresent(StoreProbe probe, CellId id) {
    return !(answer(get(probe.store.read(List.of(new CellRead(id, false, 0)))).get(0))
        instanceof CellState.Absent);
  }

  private static String decoded(String part) {
    return URLDecoder.decode(part, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {}
}
