package io.lockkeeper.engine.register;

import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.engine.policy.Instants;
import io.lockkeeper.engine.runtime.ClientRuntime;
import io.lockkeeper.engine.runtime.Draining;
import io.lockkeeper.engine.state.Receiver;
import io.lockkeeper.engine.state.RegisterChange;
import io.lockkeeper.engine.state.RegisterWatcher;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellState;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Keeps a coordinator for each register that one client uses; it leaves when it has been idle. */
public final class Registers {

  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long CLOSE_NANOS = 2_000_000_000L;
  private static final long BROKEN_NANOS = 1_000_000_000L;

  private final ClientRuntime runtime;

  /** When in a second this client reads what it watches; clients do so at different times. */
  private final long phaseNanos;

  private final ConcurrentHashMap<CellId, RegisterCoordinator> coordinators =
      new ConcurrentHashMap<>();

  /** Until the store knows that this client, which closes, does not watch. */
  private final Draining<RegisterCoordinator> draining = new Draining<>();

  /** Creates it without any. */
  public Registers(ClientRuntime runtime) {
    this.runtime = runtime;
    this.phaseNanos = Math.floorMod(runtime.clientId().hashCode(), SECOND_NANOS);
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
      enter(cell, entry);
    } catch (LockkeeperClosedException closed) {
      done.completeExceptionally(closed);
    }
    return done;
  }

  /** Begins to watch a register; returns the coordinator to leave. */
  public RegisterCoordinator watch(CellId cell, RegisterWatcher watcher) {
    return enter(cell, coordinator -> coordinator.watch(watcher));
  }

  private RegisterCoordinator enter(CellId cell, Predicate<RegisterCoordinator> entry) {
    while (true) {
      RegisterCoordinator coordinator = coordinators.computeIfAbsent(cell, this::create);
      if (entry.test(coordinator)) {
        return coordinator;
      }
      coordinators.remove(cell, coordinator);
    }
  }

  private RegisterCoordinator create(CellId cell) {
    return new RegisterCoordinator(cell, runtime, draining, phaseNanos);
  }

  // ---------------------------------------------------------------- store

  /** Notes that the store says that a register has changed. */
  public void changed(CellId cell) {
    RegisterCoordinator known = coordinators.get(cell);
    if (known != null) {
      known.changed();
    }
  }

  /** Asks everything again: messages may have been missed, and what failed may work again. */
  public void reconnected() {
    coordinators.values().forEach(each -> runtime.guarded(each.id().name(), each::reconnected));
  }

  /** Does what is due; returns when something is due next. */
  public long scan() {
    RegisterReads reads = new RegisterReads();
    long due = Instants.NEVER;
    try {
      for (RegisterCoordinator each : coordinators.values()) {
        due = Math.min(due, tickIfDue(each, reads));
      }
    } finally {
      reads.send(runtime); // what is in it counts as sent
    }
    return due;
  }

  private long tickIfDue(RegisterCoordinator each, RegisterReads reads) {
    try {
      if (each.dueNanos() <= runtime.now() && !each.tick(reads)) {
        coordinators.remove(each.id(), each);
      }
      return each.dueNanos();
    } catch (Throwable broken) { // an error too: the others have something to do
      runtime.reportFailure("'" + each.id().name() + "': cannot do what is due", broken);
      return runtime.now() + BROKEN_NANOS;
    }
  }

  // ---------------------------------------------------------------- close

  /** Ends all waits, and waits a bounded time until the store knows that nobody watches. */
  public void close() {
    List<RegisterCoordinator> all = List.copyOf(coordinators.values());
    draining.begin(all); // all of them first: the last one to be drained ends the wait
    for (RegisterCoordinator each : all) {
      runtime.guarded(each.id().name(), () -> close(each));
    }
    draining.await(runtime, CLOSE_NANOS);
  }

  private void close(RegisterCoordinator each) {
    if (!each.close()) {
      draining.drained(each);
    }
  }
}
