package io.lockkeeper.jdbc;

import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellResult.Verdict;
import io.lockkeeper.spi.CellState;
import io.lockkeeper.spi.CellValue;
import org.jspecify.annotations.Nullable;

/** What a cell holds while a step changes it: the rule of cells and nothing else. */
final class CellContent {

  /** Stands for a cell without an end. */
  static final long NEVER = 0;

  private final long nowMicros;
  private @Nullable CellValue value;
  private long version;
  private long born;
  private long endMicros;

  /**
   * Creates it from a row.
   *
   * @param value what it held, or null if it was not there
   * @param endMicros when that is over, or {@link #NEVER}
   */
  CellContent(long nowMicros, @Nullable CellValue value, long version, long born, long endMicros) {
    boolean isOver = endMicros != NEVER && nowMicros >= endMicros;
    this.nowMicros = nowMicros;
    this.value = isOver ? null : value;
    this.version = version;
    this.born = born;
    this.endMicros = endMicros;
  }

  @Nullable CellValue value() {
    return value;
  }

  /** Returns the version of the latest change, also when that was the end of the cell. */
  long version() {
    return version;
  }

  long born() {
    return born;
  }

  long endMicros() {
    return endMicros;
  }

  /** Returns what a reader is told who knows a version. */
  CellState state(long knownVersion) {
    CellValue current = value;
    if (current == null) {
      return new CellState.Absent();
    }
    long leftMicros = endMicros == NEVER ? -1 : endMicros - nowMicros;
    return version == knownVersion
        ? new CellState.Unchanged(version, leftMicros)
        : new CellState.Present(version, born, current, leftMicros);
  }

  /** Makes a change if it can be made. */
  CellResult apply(CellChange change) {
    long before = number();
    Verdict verdict = change(change);
    return new CellResult(verdict, value == null ? 0 : version, before, number());
  }

  private Verdict change(CellChange change) {
    if (change instanceof CellChange.Create create) {
      return value == null ? set(create.value(), end(create.ttlMillis())) : Verdict.UNMET;
    } else if (change instanceof CellChange.Put put) {
      return set(put.value(), end(put.ttlMillis()));
    } else if (change instanceof CellChange.Replace replace) {
      boolean isMet = value != null && version == replace.version();
      return isMet ? set(replace.value(), end(replace.ttlMillis())) : Verdict.UNMET;
    } else if (change instanceof CellChange.Delete) {
      return value == null ? Verdict.UNMET : set(null, NEVER);
    }
    return value == null || value.number().isPresent()
        ? changeNumber(change)
        : Verdict.NOT_A_NUMBER;
  }

  private Verdict changeNumber(CellChange change) {
    if (change instanceof CellChange.Add add) {
      return value == null && !add.create() ? Verdict.UNMET : add(add.delta(), add.floor());
    } else if (change instanceof CellChange.ReplaceNumber replace) {
      return number() == replace.expected() ? setNumber(replace.number()) : Verdict.UNMET;
    } else if (change instanceof CellChange.Raise raise) {
      return setNumber(Math.max(number(), raise.number()));
    }
    throw new IllegalArgumentException("unknown change: " + change);
  }

  private Verdict add(long delta, @Nullable Long floor) {
    long before = number();
    boolean fits = delta >= 0 ? before <= Long.MAX_VALUE - delta : before >= Long.MIN_VALUE - delta;
    if (floor != null && delta < 0 && (!fits || before + delta < floor)) {
      return setNumber(Math.min(before, floor));
    }
    return fits ? setNumber(before + delta) : Verdict.OVERFLOW;
  }

  /** Sets the number; a cell that has it already stays as it is. */
  private Verdict setNumber(long number) {
    if (value != null && number() == number) {
      return Verdict.DONE;
    }
    return set(CellValue.of(number), value == null ? NEVER : endMicros);
  }

  /** Sets the value, or ends the cell. The clock makes the version grow after a loss of the row. */
  private Verdict set(@Nullable CellValue wanted, long end) {
    version = Math.max(version + 1, nowMicros);
    if (value == null) {
      born = version;
    }
    value = wanted;
    endMicros = end;
    return Verdict.DONE;
  }

  private long end(long ttlMillis) {
    return ttlMillis == 0 ? NEVER : nowMicros + Client.micros(ttlMillis);
  }

  private long number() {
    CellValue current = value;
    return current == null ? 0 : current.number().orElse(0);
  }
}
