package io.lockkeeper.memory;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a memory server. Guarded by the server's lock.
 *
 * <p>A cell that is not there any more is forgotten once the results of its last updates are, and
 * the clock alone makes sure that its versions keep growing.
 */
final class CellServer {

  private static final int SWEEP_BATCH = 4;

  private record Key(String namespace, CellId id) {}

  private final Map<Key, CellResource> cells = new HashMap<>();

  /** Cells that are not there, to be forgotten later. */
  private final LinkedHashSet<Key> lingering = new LinkedHashSet<>();

  @Nullable List<CellResult> update(ServerStep step, String namespace, CellUpdate update) {
    return use(step, new Key(namespace, update.cell()), cell -> cell.update(step, update));
  }

  CellState read(ServerStep step, String namespace, CellRead read) {
    return use(step, new Key(namespace, read.cell()), cell -> cell.read(step, read));
  }

  private <T extends @Nullable Object> T use(
      ServerStep step, Key key, Function<CellResource, T> use) {
    CellResource cell = cells.computeIfAbsent(key, absent -> new CellResource(absent.id()));
    T answer = use.apply(cell);
    lingering.add(key);
    sweep(step.nowMicros());
    return answer;
  }

  private void sweep(long nowMicros) {
    for (int i = 0; i < SWEEP_BATCH && !lingering.isEmpty(); i++) {
      Key key = lingering.iterator().next();
      lingering.remove(key);
      CellResource cell = cells.get(key);
      if (cell != null && cell.isForgettable(nowMicros)) {
        cells.remove(key);
      } else if (cell != null && !cell.isPresent(nowMicros)) {
        lingering.add(key);
      }
    }
  }

  void clear() {
    cells.clear();
    lingering.clear();
  }

  /** Returns the cells that are there or watched. */
  List<CellSnapshot> snapshot(long nowMicros) {
    return cells.entrySet().stream()
        .filter(e -> e.getValue().isPresent(nowMicros) || e.getValue().isWatched(nowMicros))
        .map(
            e ->
                new CellSnapshot(
                    e.getKey().namespace(),
                    e.getKey().id(),
                    e.getValue().isPresent(nowMicros),
                    e.getValue().isWatched(nowMicros)))
        .toList();
  }

  /** Returns how many are kept, those that are not there included. */
  int size() {
    return cells.size();
  }
}
