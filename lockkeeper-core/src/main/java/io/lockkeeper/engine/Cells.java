package io.lockkeeper.engine;

import io.lockkeeper.LockkeeperClosedException;
import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The cells that one client uses: a gate for each, which leaves when it has been idle. */
final class Cells {

  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long CLOSE_NANOS = 2_000_000_000L;
  private static final long BROKEN_GATE_NANOS = 1_000_000_000L;

  private final Engine engine;

  /** When in a second this client reads what it watches; clients do so at different times. */
  private final long phaseNanos;

  private final ConcurrentHashMap<CellId, CellGate> gates = new ConcurrentHashMap<>();

  /** The gates that still tell the store that this client, which closes, does not watch. */
  private final Set<CellGate> unquiet = ConcurrentHashMap.newKeySet();

  private final CountDownLatch quiet = new CountDownLatch(1);

  Cells(Engine engine) {
    this.engine = engine;
    this.phaseNanos = Math.floorMod(engine.clientId().hashCode(), SECOND_NANOS);
  }

  // ---------------------------------------------------------------- callers

  /** Has a cell changed; what became of it is told on any thread. */
  CompletableFuture<CellResult> change(CellId cell, CellChange change) {
    CompletableFuture<CellResult> done = new CompletableFuture<>();
    CellTask task = new CellTask(change, done);
    return entered(cell, gate -> gate.change(task), done);
  }

  /** Asks what a cell is: {@link CellState.Absent} or {@link CellState.Present}. */
  CompletableFuture<CellState> read(CellId cell) {
    CompletableFuture<CellState> done = new CompletableFuture<>();
    return entered(cell, gate -> gate.read(done), done);
  }

  private <T> CompletableFuture<T> entered(
      CellId cell, Predicate<CellGate> entry, CompletableFuture<T> done) {
    try {
      enter(cell, entry);
    } catch (LockkeeperClosedException closed) {
      done.completeExceptionally(closed);
    }
    return done;
  }

  /** Begins to watch a cell; returns the gate to leave. */
  CellGate watch(CellId cell, CellWatcher watcher) {
    return enter(cell, gate -> gate.watch(watcher));
  }

  private CellGate enter(CellId cell, Predicate<CellGate> entry) {
    while (true) {
      CellGate gate =
          gates.computeIfAbsent(cell, absent -> new CellGate(absent, engine, phaseNanos));
      if (entry.test(gate)) {
        return gate;
      }
      gates.remove(cell, gate);
    }
  }

  // ---------------------------------------------------------------- store

  void changed(CellId cell) {
    CellGate gate = gates.get(cell);
    if (gate != null) {
      gate.changed();
    }
  }

  void reconnected() {
    gates.values().forEach(gate -> engine.guarded(gate.id.name(), gate::reconnected));
  }

  /** Does what is due; returns when something is due next. */
  long scan() {
    List<CellReads.Item> reads = new ArrayList<>();
    long due = Margins.NEVER;
    try {
      for (CellGate gate : gates.values()) {
        due = Math.min(due, tickIfDue(gate, reads));
      }
    } finally {
      CellReads.send(engine, reads); // what is in it counts as sent
    }
    return due;
  }

  private long tickIfDue(CellGate gate, List<CellReads.Item> reads) {
    try {
      if (gate.dueNanos() <= engine.now() && !gate.tick(reads)) {
        gates.remove(gate.id, gate);
      }
      return gate.dueNanos();
    } catch (Throwable broken) { // an error too: the others have something to do
      engine.reportFailure("'" + gate.id.name() + "': cannot do what is due", broken);
      return engine.now() + BROKEN_GATE_NANOS;
    }
  }

  // ---------------------------------------------------------------- close

  /** Ends all waits, and waits a bounded time until the store knows that nobody watches. */
  void close() {
    List<CellGate> all = List.copyOf(gates.values());
    unquiet.addAll(all); // all of them first: the last one to get quiet ends the wait
    for (CellGate gate : all) {
      engine.guarded(gate.id.name(), () -> close(gate));
    }
    if (!unquiet.isEmpty()) {
      long end = engine.now() + CLOSE_NANOS;
      Uninterruptibly.await(engine, end, nanos -> quiet.await(nanos, TimeUnit.NANOSECONDS));
    }
  }

  private void close(CellGate gate) {
    if (!gate.close()) {
      quiet(gate);
    }
  }

  void quiet(CellGate gate) {
    if (unquiet.remove(gate) && unquiet.isEmpty()) {
      quiet.countDown();
    }
  }
}
