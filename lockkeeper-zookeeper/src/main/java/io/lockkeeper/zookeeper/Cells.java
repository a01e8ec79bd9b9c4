package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.HintListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.StoreContext;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The cells of one client's namespace. */
final class Cells {

  /**
   * Creates it.
   *
   * @param hints the listener, which is set later
   */
  Cells(Connection connection, Paths paths, StoreContext context, Supplier<HintListener> hints) {}

  CompletionStage<Outcome<CellUpdated>> update(CellUpdate update) {
    return CompletableFuture.completedFuture(
        Outcome.unknown(new UnsupportedOperationException("no cells yet")));
  }

  CompletionStage<List<Outcome<CellState>>> read(List<CellRead> batch) {
    Outcome<CellState> unknown = Outcome.unknown(new UnsupportedOperationException("no cells yet"));
    return CompletableFuture.completedFuture(batch.stream().map(one -> unknown).toList());
  }
}
