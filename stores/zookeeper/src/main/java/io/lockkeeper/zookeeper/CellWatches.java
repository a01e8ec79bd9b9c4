package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.TimeSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * The cells that a client watches. ZooKeeper tells of every writing of a node, also of this
 * client's own and of one that only remembers what an update did; so after each the node is looked
 * at again, and the engine hears only if another client has changed the cell.
 */
final class CellWatches {

  /** Looks at a node, goes on watching it, and calls {@link #found} or gives up. */
  @FunctionalInterface
  interface Look {
    void at(CellId cell, String path, Watcher watcher);
  }

  /**
   * A watched cell.
   *
   * @param known what the client knows of it; null until it has been read
   */
  private record Watch(CellId cell, long endNanos, @Nullable CellRecord known) {}

  private final TimeSource time;
  private final Supplier<NotificationListener> notifications;
  private final Look look;
  private final Map<String, Watch> watches = new ConcurrentHashMap<>();

  /** One for all cells: ZooKeeper keeps each only once for each node. */
  private final Watcher watcher = this::happened;

  CellWatches(TimeSource time, Supplier<NotificationListener> notifications, Look look) {
    this.time = time;
    this.notifications = notifications;
    this.look = look;
  }

  Watcher watcher() {
    return watcher;
  }

  /** Begins to watch, or goes on; what the cell is comes with {@link #found}. */
  void begin(CellId cell, String path, long nanos) {
    watches.put(path, new Watch(cell, time.nanos() + nanos, null));
  }

  void end(String path) {
    watches.remove(path);
  }

  /** Records what a cell is, and tells of it if another client has changed it. */
  void found(String path, CellRecord now) {
    Watch watch = watches.get(path);
    if (watch == null) {
      return;
    }
    CellRecord known = watch.known();
    if (known == null || !isChange(known, now)) {
      watches.replace(path, watch, new Watch(watch.cell(), watch.endNanos(), now));
    } else if (watches.remove(path, watch)) {
      notifications.get().cellChanged(watch.cell());
    }
  }

  /** Records this client's own change, unless another came before it. */
  void changed(String path, CellRecord before, CellRecord after) {
    Watch watch = watches.get(path);
    if (watch != null && watch.known() != null && !isChange(watch.known(), before)) {
      watches.replace(path, watch, new Watch(watch.cell(), watch.endNanos(), after));
    }
  }

  /** Returns whether an update has made the difference, and not the end of a time to live. */
  private static boolean isChange(CellRecord before, CellRecord after) {
    boolean neither = !before.isPresent() && after.version() == 0;
    return before.version() != after.version() && !neither;
  }

  private void happened(WatchedEvent event) {
    String path = event.getPath();
    Watch watch = path == null ? null : watches.get(path);
    if (path == null || watch == null) {
      return;
    }
    if (time.nanos() - watch.endNanos() >= 0) {
      watches.remove(path, watch);
    } else {
      look.at(watch.cell(), path, watcher);
    }
  }
}
