package io.lockkeeper.spi.record;

import io.lockkeeper.StoreProblem;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellUpdated;
import io.lockkeeper.spi.Outcome;
import io.lockkeeper.spi.StoreContext;
import io.lockkeeper.spi.rule.CellRule;
import java.util.List;
import java.util.function.Consumer;

/** Decides by the rule on the records of cells. */
final class CellSteps {

  private final StoreContext context;
  private final Keys keys;
  private final RecordClock clock;
  private final boolean storeWatches;

  CellSteps(StoreContext context, Keys keys, RecordClock clock, boolean storeWatches) {
    this.storeWatches = storeWatches;
    this.context = context;
    this.keys = keys;
    this.clock = clock;
  }

  /** Reads a record of which all is needed: each watcher, and each update that is remembered. */
  private static CellRecord whole(Reading reading, Times times) throws NeedsMore {
    if (!reading.isComplete()) {
      throw new NeedsMore();
    }
    return CellRecord.read(reading, times);
  }

  /**
   * Makes an update, unless it was made before or comes late.
   *
   * @param maker accepts what the latest decision makes of the cell
   */
  Decision.Step<CellUpdated> update(CellUpdate update, Consumer<CellRule.Updated> maker) {
    return reading -> {
      Times times = clock.times(keys.of(update.cell()), reading);
      long now = times.now();
      CellRecord before = whole(reading, times);
      CellRecord.Remembered last = before.remembered().get(context.clientId());
      if (last != null && last.batch() > update.batch()) {
        return Decision.look(Outcome.refused(StoreProblem.OTHER, CellRule.cameLate(update)));
      } else if (last != null && last.batch() == update.batch()) {
        return Decision.look(Outcome.answered(new CellUpdated(last.results())));
      }
      CellRule.Updated made = CellRule.update(before.content(), update, CellRule.Writing.at(now));
      maker.accept(made);
      CellRecord after = before.with(made.after());
      after
          .remembered()
          .put(
              context.clientId(),
              new CellRecord.Remembered(
                  update.batch(), now + 1_000 * update.rememberMillis(), made.results()));
      List<Message> messages =
          made.isChange()
              ? after.dismissWatchers(context.clientId()).stream()
                  .map(watcher -> Messages.changed(watcher, update.cell()))
                  .toList()
              : List.of();
      return Decision.of(
          reading,
          Outcome.answered(new CellUpdated(made.results())),
          after.change(keys.of(update.cell()), reading, times, messages));
    };
  }

  /** Reads, and begins or ends to watch. */
  Decision.Step<CellState> read(CellRead read) {
    return new Decision.Step<>() {
      @Override
      public Decision<CellState> decide(Reading reading) throws NeedsMore {
        return CellSteps.this.decide(read, reading);
      }

      @Override
      public boolean isWatching() {
        return storeWatches && read.watch();
      }
    };
  }

  private Decision<CellState> decide(CellRead read, Reading reading) throws NeedsMore {
    Times times = clock.times(keys.of(read.cell()), reading);
    long now = times.now();
    CellRecord record = whole(reading, times);
    if (read.watch() && !storeWatches) {
      long end = now + 1_000 * context.timings().heartbeatMillis();
      record.watchers().put(context.clientId(), end);
    } else {
      record.watchers().remove(context.clientId());
    }
    CellState state = record.content().state(read.knownVersion(), record.content().end() - now);
    return Decision.of(
        reading,
        Outcome.answered(state),
        record.change(keys.of(read.cell()), reading, times, List.of()));
  }
}
