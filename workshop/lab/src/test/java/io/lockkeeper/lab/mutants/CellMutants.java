package io.lockkeeper.lab.mutants;

import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.NotificationListener;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** Stores that do not count right. */
final class CellMutants {

  private static final int EVERY = 10;

  private CellMutants() {}

  /** Now and then answers as if it had added, and has not. */
  static final class LosesUpdates extends WrappedStore {

    private final AtomicLong updates = new AtomicLong();

    LosesUpdates(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<Outcome<CellUpdated>> update(CellUpdate update) {
      boolean adds = update.changes().stream().allMatch(CellChange.Add.class::isInstance);
      CellState state =
          now(store.read(List.of(new CellRead(update.cell(), false, 0)))).get(0)
                  instanceof Outcome.Answered<CellState> answered
              ? answered.answer()
              : new CellState.Absent();
      if (!adds
          || updates.incrementAndGet() % EVERY != 0
          || !(state instanceof CellState.Present present)) {
        return store.update(update);
      }
      List<CellResult> results = new ArrayList<>();
      long number = present.value().number().orElse(0);
      for (CellChange change : update.changes()) {
        long next = number + ((CellChange.Add) change).delta();
        results.add(new CellResult(CellResult.Verdict.DONE, present.version() + 1, number, next));
        number = next;
      }
      return done(Outcome.answered(new CellUpdated(results)));
    }
  }

  /** Now and then adds twice. */
  static final class AddsTwice extends WrappedStore {

    private final AtomicLong updates = new AtomicLong();

    AddsTwice(Store store) {
      super(store);
    }

    @Override
    public CompletionStage<Outcome<CellUpdated>> update(CellUpdate update) {
      if (updates.incrementAndGet() % EVERY != 0) {
        return store.update(update);
      }
      List<CellChange> changes = new ArrayList<>();
      for (CellChange change : update.changes()) {
        changes.add(
            change instanceof CellChange.Add add
                ? new CellChange.Add(2 * add.delta(), add.floor(), add.create())
                : change);
      }
      return store.update(
          new CellUpdate(update.cell(), update.batch(), changes, update.rememberMillis()));
    }
  }

  /** Closes a latch again once it is open. */
  static final class ReopensLatches extends WrappedStore {

    private final AtomicLong numbers = new AtomicLong();
    private final Store intruder;

    ReopensLatches(Store store, Store intruder) {
      super(store);
      this.intruder = intruder;
      intruder.listen(NotificationListener.silent());
    }

    @Override
    public CompletionStage<Outcome<CellUpdated>> update(CellUpdate update) {
      Outcome<CellUpdated> outcome = now(store.update(update));
      boolean opened =
          outcome instanceof Outcome.Answered<CellUpdated> answered
              && answered.answer().results().stream()
                  .anyMatch(result -> result.number() == 0 && result.before() > 0);
      if (opened) {
        List<CellChange> again = List.of(new CellChange.Add(1, null, false));
        now(
            intruder.update(
                new CellUpdate(update.cell(), numbers.incrementAndGet(), again, 1_000)));
      }
      return done(outcome);
    }
  }
}
