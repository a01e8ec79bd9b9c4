package io.lockkeeper.spi.record;

import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.TimeSource;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The cells that a client watches at a store that notifies of changes itself. It notifies also of
 * the client's own, and of one that only says what an update did. So the cell is read again, and
 * the client is notified only if another client has changed it.
 */
final class CellWatches {

  /**
   * A watch.
   *
   * @param known the version that the client knows; 0 if the cell was not there
   */
  private record Watch(CellId cell, long endNanos, long known) {}

  private final TimeSource time;
  private final long lastsNanos;
  private final Function<CellRead, CompletionStage<Outcome<CellState>>> look;
  private final Map<String, Watch> watches = new ConcurrentHashMap<>();

  /**
   * Creates it.
   *
   * @param look reads a cell
   */
  CellWatches(StoreContext context, Function<CellRead, CompletionStage<Outcome<CellState>>> look) {
    this.time = context.environment().time();
    this.lastsNanos = TimeUnit.MILLISECONDS.toNanos(context.timings().heartbeatMillis());
    this.look = look;
  }

  /** Records what the client has read. */
  void read(String key, CellRead read, Outcome<CellState> outcome) {
    if (!read.watch()) {
      watches.remove(key);
    } else if (outcome instanceof Outcome.Answered<CellState> answered) {
      long version = version(answered.answer());
      watches.put(key, new Watch(read.cell(), time.nanos() + lastsNanos, version));
    }
  }

  /** Records the client's own change, unless there was another before it. */
  void changed(String key, long before, long after) {
    watches.computeIfPresent(
        key,
        (same, watch) ->
            watch.known == before ? new Watch(watch.cell, watch.endNanos, after) : watch);
  }

  /** Looks at a cell whose record has changed. */
  void changed(String key, NotificationListener listener) {
    Watch watch = watches.get(key);
    if (watch == null) {
      return;
    } else if (time.nanos() - watch.endNanos >= 0) {
      watches.remove(key, watch);
      return;
    }
    Outcomes.whenKnown(
        look.apply(new CellRead(watch.cell, true, 0)), outcome -> found(key, outcome, listener));
  }

  private void found(String key, Outcome<CellState> outcome, NotificationListener listener) {
    Watch watch = watches.get(key);
    if (watch != null
        && outcome instanceof Outcome.Answered<CellState> answered
        && version(answered.answer()) != watch.known
        && watches.remove(key, watch)) {
      listener.cellChanged(watch.cell);
    }
  }

  private static long version(CellState state) {
    return state instanceof CellState.Present present
        ? present.version()
        : state instanceof CellState.Unchanged unchanged ? unchanged.version() : 0;
  }
}
