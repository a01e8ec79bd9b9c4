package io.lockkeeper.testkit.tck.store;

import static io.lockkeeper.testkit.tck.store.StoreProbe.answer;
import static io.lockkeeper.testkit.tck.store.StoreProbe.get;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellKind;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.Listing;
import io.lockkeeper.spi.StoreFactory;
import io.lockkeeper.spi.Timings;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rest that is left in a store of records after its use. Records are left that say what was
 * done, for a while, and who died, and go with the next visitor; a visit shows whether anything
 * else is there.
 */
public final class RecordResidue {

  private RecordResidue() {}

  /**
   * Returns what is left of the namespaces that begin like this, for people; empty for nothing.
   *
   * @param keys the keys of the records that there are
   */
  public static String of(StoreFactory factory, String namespace, Collection<String> keys) {
    return keys.stream()
        .map(key -> decoded(key.substring(0, key.indexOf('/'))))
        .filter(found -> found.startsWith(namespace))
        .distinct()
        .flatMap(found -> left(factory, found, keys))
        .collect(Collectors.joining("\n"));
  }

  private static Stream<String> left(
      StoreFactory factory, String namespace, Collection<String> keys) {
    try (StoreProbe probe = new StoreProbe(factory, namespace, Timings.DEFAULT)) {
      List<String> resources =
          answer(get(probe.store.resources(Listing.all()))).stream()
              .filter(id -> !answer(get(probe.store.inspect(id))).isIdle())
              .map(String::valueOf)
              .toList();
      List<String> cells =
          keys.stream()
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
}
