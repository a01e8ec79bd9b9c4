package io.lockkeeper.etcd;

import static io.lockkeeper.testkit.tck.store.StoreProbe.answer;
import static io.lockkeeper.testkit.tck.store.StoreProbe.get;

import io.lockkeeper.servers.EtcdServer;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.Store;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.Timings;
import io.lockkeeper.testkit.tck.TckStore;
import io.lockkeeper.testkit.tck.store.StoreProbe;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A server for the test kit, and what must not be left on it. */
final class EtcdTckStore implements TckStore {

  private static final Map<EtcdServer, MortalStores> FACTORIES = new ConcurrentHashMap<>();

  private final EtcdServer server;

  EtcdTckStore(EtcdServer server) {
    this.server = server;
  }

  @Override
  public StoreFactory factory() {
    return stores();
  }

  /** Sessions are short, so that the dead are found soon. */
  private MortalStores stores() {
    return FACTORIES.computeIfAbsent(
        server, it -> new MortalStores(it, Duration.ofSeconds(3), Duration.ofSeconds(3)));
  }

  @Override
  public String url() {
    return server.url() + "?connectTimeout=20s&sessionTimeout=3s";
  }

  @Override
  public Optional<String> unreachableUrl() {
    return Optional.of("etcd://user:s3cret@127.0.0.1:1?connectTimeout=2s");
  }

  @Override
  public void vanish(Store client) {
    stores().vanish(client);
  }

  @Override
  public boolean loseEverything() {
    RawKeys.of(server).delete(EtcdUrl.PREFIX + "/", key -> !key.contains("/m/"));
    return true;
  }

  /** What is over goes with the next visitor; a visit shows whether anything else is there. */
  @Override
  public String residue(String namespace) {
    String keys = EtcdUrl.PREFIX + "/h/" + namespace + "/c/";
    try (StoreProbe probe = new StoreProbe(stores(), namespace, Timings.DEFAULT)) {
      Stream<String> resources =
          answer(get(probe.store.resources())).stream()
              .filter(id -> !answer(get(probe.store.inspect(id))).isIdle())
              .map(String::valueOf);
      Stream<String> cells =
          RawKeys.of(server).below(keys).stream()
              .map(key -> key.substring(keys.length()).split("/", 2))
              .map(parts -> new CellId(CellKind.of(parts[0]), decoded(parts[1])))
              .filter(id -> isPresent(probe, id))
              .map(String::valueOf);
      return Stream.concat(resources, cells).collect(Collectors.joining("\n"));
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
