package io.lockkeeper.memory;

import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellRead;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellResult.Verdict;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One cell: its value, its version, who watches it, and what the last update of each client did. As
 * {@link Resource} it is the rule and nothing else.
 */
final class CellResource {

  private static final long NEVER = Long.MAX_VALUE;

  /** What a client's last update did. */
  private record Remembered(long batch, List<CellResult> results, long untilMicros) {}

  private final CellId id;
  private final Map<String, Long> watchers = new HashMap<>();
  private final Map<String, Remembered> remembered = new HashMap<>();

  private @Nullable CellValue value;
  private long endMicros = NEVER;
  private long born;

  /** The version of the latest change, also when that was the end of the cell. */
  private long version;

  CellResource(CellId id) {
    this.id = id;
  }

  /** Makes an update; returns its results, or null if the client has made a later one before. */
  @Nullable List<CellResult> update(Step step, CellUpdate update) {
    begin(step.nowMicros());
    Remembered last = remembered.get(step.clientId());
    if (last != null && last.batch() >= update.batch()) {
      return last.batch() == update.batch() ? last.results() : null;
    }
    long versionBefore = version;
    List<CellResult> results = new ArrayList<>();
    for (CellChange change : update.changes()) {
      long before = number();
      Verdict verdict = change(change, step.nowMicros());
      results.add(new CellResult(verdict, value == null ? 0 : version, before, number()));
    }
    remembered.put(
        step.clientId(),
        new Remembered(update.batch(), results, step.afterMillis(update.rememberMillis())));
    if (version != versionBefore) {
      tellWatchers(step);
    }
    return results;
  }

  CellState read(Step step, CellRead read) {
    begin(step.nowMicros());
    if (read.watch()) {
      watchers.put(step.clientId(), step.heartbeatMicros());
    } else {
      watchers.remove(step.clientId());
    }
    CellValue current = value;
    if (current == null) {
      return new CellState.Absent();
    }
    long leftMicros = endMicros == NEVER ? -1 : endMicros - step.nowMicros();
    return version == read.knownVersion()
        ? new CellState.Unchanged(version, leftMicros)
        : new CellState.Present(version, born, current, leftMicros);
  }

  boolean isPresent(long nowMicros) {
    return value != null && nowMicros < endMicros;
  }

  boolean isWatched(long nowMicros) {
    return watchers.values().stream().anyMatch(end -> nowMicros < end);
  }

  /** Returns whether nothing would be lost with it. */
  boolean isForgettable(long nowMicros) {
    return !isPresent(nowMicros)
        && !isWatched(nowMicros)
        && version < nowMicros
        && remembered.values().stream().allMatch(last -> last.untilMicros() <= nowMicros);
  }

  /** Notices what is over. */
  private void begin(long nowMicros) {
    if (value != null && nowMicros >= endMicros) {
      value = null;
    }
    watchers.values().removeIf(end -> nowMicros >= end);
    remembered.values().removeIf(last -> nowMicros >= last.untilMicros());
  }

  private Verdict change(CellChange change, long nowMicros) {
    if (change instanceof CellChange.Create create) {
      return value != null
          ? Verdict.UNMET
          : put(create.value(), end(create.ttlMillis(), nowMicros), nowMicros);
    } else if (change instanceof CellChange.Put put) {
      return put(put.value(), end(put.ttlMillis(), nowMicros), nowMicros);
    } else if (change instanceof CellChange.Replace replace) {
      return value == null || version != replace.version()
          ? Verdict.UNMET
          : put(replace.value(), end(replace.ttlMillis(), nowMicros), nowMicros);
    } else if (change instanceof CellChange.Delete) {
      return delete(nowMicros);
    }
    return isNumber() ? changeNumber(change, nowMicros) : Verdict.NOT_A_NUMBER;
  }

  private Verdict changeNumber(CellChange change, long nowMicros) {
    long before = number();
    if (change instanceof CellChange.Add add) {
      return add(add, nowMicros);
    } else if (change instanceof CellChange.ReplaceNumber replace) {
      return before != replace.expected() ? Verdict.UNMET : putNumber(replace.number(), nowMicros);
    } else if (change instanceof CellChange.Raise raise) {
      return putNumber(Math.max(before, raise.number()), nowMicros);
    }
    throw new IllegalArgumentException("unknown change: " + change);
  }

  private Verdict add(CellChange.Add add, long nowMicros) {
    if (value == null && !add.create()) {
      return Verdict.UNMET;
    }
    long before = number();
    long sum = before + add.delta();
    boolean overflows = ((before ^ sum) & (add.delta() ^ sum)) < 0;
    Long floor = add.floor();
    if (floor != null && add.delta() < 0 && (overflows || sum < floor)) {
      return putNumber(Math.min(before, floor), nowMicros);
    }
    return overflows ? Verdict.OVERFLOW : putNumber(sum, nowMicros);
  }

  /** Sets the number; a cell that has it already stays as it is. */
  private Verdict putNumber(long number, long nowMicros) {
    if (value != null && number() == number) {
      return Verdict.DONE;
    }
    return put(CellValue.of(number), value == null ? NEVER : endMicros, nowMicros);
  }

  private Verdict put(CellValue wanted, long end, long nowMicros) {
    version = Math.max(version + 1, nowMicros);
    if (value == null) {
      born = version;
    }
    value = wanted;
    endMicros = end;
    return Verdict.DONE;
  }

  private Verdict delete(long nowMicros) {
    if (value == null) {
      return Verdict.UNMET;
    }
    version = Math.max(version + 1, nowMicros);
    value = null;
    return Verdict.DONE;
  }

  private static long end(long ttlMillis, long nowMicros) {
    return ttlMillis == 0 ? NEVER : nowMicros + Step.micros(ttlMillis);
  }

  private boolean isNumber() {
    CellValue current = value;
    return current == null || current.number().isPresent();
  }

  private long number() {
    CellValue current = value;
    return current == null ? 0 : current.number().orElse(0);
  }

  /** Tells the other clients that watch, and forgets that they do. */
  private void tellWatchers(Step step) {
    Long mine = watchers.remove(step.clientId());
    watchers.keySet().forEach(client -> step.outbox().cellChanged(client, id));
    watchers.clear();
    if (mine != null) {
      watchers.put(step.clientId(), mine);
    }
  }
}
