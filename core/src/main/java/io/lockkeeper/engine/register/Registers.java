package io.lockkeeper.engine.register;

import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.runtime.Coordinators;
import io.lockkeeper.engine.state.Receiver;
import io.lockkeeper.engine.state.RegisterChange;
import io.lockkeeper.engine.state.RegisterWatcher;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellState;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** Keeps a coordinator for each register that one client uses; it leaves when it has been idle. */
public final class Registers {

  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long CLOSE_NANOS = 2_000_000_000L;

  private final ClientRuntime runtime;

  private final Coordinators<CellId, RegisterCoordinator> coordinators;

  /** Creates it without any. */
  public Registers(ClientRuntime runtime) {
    this.runtime = runtime;
    // When in a second this client reads what it watches; clients do so at different times.
    long phaseNanos = Math.floorMod(runtime.clientId().hashCode(), SECOND_NANOS);
    this.coordinators =
        new Coordinators<>(
            runtime,
            (cell, draining) -> new RegisterCoordinator(cell, runtime, draining, phaseNanos));
  }

  // ---------------------------------------------------------------- callers

  /** Returns what the client runs on. */
  public ClientRuntime runtime() {
    return runtime;
  }

  /** Changes a register; the result completes on any thread. */
  public CompletableFuture<CellResult> change(CellId cell, CellChange change) {
    CompletableFuture<CellResult> done = new CompletableFuture<>();
    RegisterChange wanted = new RegisterChange(change, new FutureReceiver<>(done));
    return entered(cell, coordinator -> coordinator.change(wanted), done);
  }

  /** Asks what a register is: {@link CellState.Absent} or {@link CellState.Present}. */
  public CompletableFuture<CellState> read(CellId cell) {
    CompletableFuture<CellState> done = new CompletableFuture<>();
    Receiver<CellState> reader = new FutureReceiver<>(done);
    return entered(cell, coordinator -> coordinator.read(reader), done);
  }

  private <T> CompletableFuture<T> entered(
      CellId cell, Predicate<RegisterCoordinator> entry, CompletableFuture<T> done) {
    try {
      coordinators.enter(cell, entry);
    } catch (LockkeeperClosedException closed) {
      done.completeExceptionally(closed);
    }
    return done;
  }

  /** Begins to watch a register; returns the coordinator to leave. */
  public RegisterCoordinator watch(CellId cell, RegisterWatcher watcher) {
    return coordinators.enter(cell, coordinator -> coordinator.watch(watcher));
  }

  // ---------------------------------------------------------------- store

  /** Notes that the store says that a register has changed. */
  public void changed(CellId cell) {
    RegisterCoordinator known = coordinators.existing(cell);
    if (known != null) {
      known.changed();
    }
  }

  /** Asks everything again: messages may have been missed, and what failed may work again. */
  public void reconnected() {
    coordinators.reconnected();
  }

  /** Does what is due; returns when something is due next. */
  public long scan() {
    RegisterReads reads = new RegisterReads();
    try {
      return coordinators.scan(each -> each.tick(reads));
    } finally {
      reads.send(runtime); // what is in it counts as sent
    }
  }

  // ---------------------------------------------------------------- close

  /** Ends all waits, and waits a bounded time until the store knows that nobody watches. */
  public void close() {
    coordinators.close();
    coordinators.awaitDrained(CLOSE_NANOS);
  }
}
