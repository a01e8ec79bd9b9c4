package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.support.RecentlyUsed;
import org.jspecify.annotations.Nullable;

/**
 * The last texts that this client wrote to its cells. Who alone changes a cell need not read it
 * before each change: the writing fails if others were there meanwhile. A cell counts as this
 * client's alone once it has made two changes in a row.
 */
final class OwnCells {

  /** How many cells and how large ones are kept in mind. */
  private static final int MOST = 1_000;

  private static final int LARGEST = 1_000;

  /**
   * A cell.
   *
   * @param isAlone whether nobody else wrote between the last two writings
   * @param sureNanos how long it is surely the same node: a new one could have the same version
   */
  private record Own(Cells.Found found, boolean isAlone, long sureNanos) {}

  private final RecentlyUsed<String, Own> cells = new RecentlyUsed<>(MOST);

  /** Returns what a cell is unless others have changed it; null if that is not likely. */
  Cells.@Nullable Found likely(String path, long nowNanos) {
    Own own = cells.get(path);
    return own != null && own.isAlone() && nowNanos - own.sureNanos() < 0 ? own.found() : null;
  }

  /**
   * Records a writing.
   *
   * @param before the version that the node had before it
   * @param sureNanos how long the node surely is not deleted
   */
  void put(String path, int before, Cells.Found written, long sureNanos) {
    var value = written.record().value();
    cells.replace(
        path,
        last -> {
          if (value != null && value.size() > LARGEST) {
            return null;
          }
          boolean isAlone = last != null && last.found().nodeVersion() == before;
          return new Own(written, isAlone, sureNanos);
        });
  }

  void forget(String path) {
    cells.replace(path, last -> null);
  }
}
