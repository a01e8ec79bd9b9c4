package io.lockkeeper.zookeeper;

import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellResult.Verdict;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one update, made to a record in this client's memory; they count when the record
 * is written to a node that has not changed meanwhile. Versions and times of the writing are left
 * open, see {@link CellRecord}.
 */
final class CellEdit {

  private final CellRecord base;
  private final List<CellResult> results = new ArrayList<>();

  private @Nullable CellValue value;
  private long born;
  private long version;
  private long endMillis;
  private int changes;

  /**
   * Creates it.
   *
   * @param base what is there; a value whose time to live is over is gone already
   */
  CellEdit(CellRecord base) {
    this.base = base;
    this.value = base.value();
    this.born = base.born();
    this.version = base.version();
    this.endMillis = base.endMillis();
  }

  /** Makes the changes. */
  CellEdit make(List<CellChange> all) {
    for (CellChange change : all) {
      long before = number();
      Verdict verdict = change(change);
      results.add(new CellResult(verdict, value == null ? 0 : version, before, number()));
    }
    return this;
  }

  /** Returns whether the cell is not what it was. */
  boolean isChange() {
    return changes > 0;
  }

  List<CellResult> results() {
    return results;
  }

  /** Returns the record to write, which remembers the update as one of this client. */
  CellRecord record(String clientId, CellUpdate update) {
    Map<String, CellRecord.Memory> memories = new TreeMap<>(base.memories());
    long untilMillis = -Math.max(1, update.rememberMillis());
    memories.put(clientId, new CellRecord.Memory(update.batch(), untilMillis, results));
    return new CellRecord(value, born, version, endMillis, memories);
  }

  private Verdict change(CellChange change) {
    if (change instanceof CellChange.Create create) {
      return value != null ? Verdict.UNMET : put(create.value(), end(create.ttlMillis()));
    } else if (change instanceof CellChange.Put put) {
      return put(put.value(), end(put.ttlMillis()));
    } else if (change instanceof CellChange.Replace replace) {
      return value == null || version != replace.version()
          ? Verdict.UNMET
          : put(replace.value(), end(replace.ttlMillis()));
    } else if (change instanceof CellChange.Delete) {
      return delete();
    }
    CellValue current = value;
    return current == null || current.number().isPresent()
        ? changeNumber(change)
        : Verdict.NOT_A_NUMBER;
  }

  private Verdict changeNumber(CellChange change) {
    long before = number();
    if (change instanceof CellChange.Add add) {
      return add(add);
    } else if (change instanceof CellChange.ReplaceNumber replace) {
      return before != replace.expected() ? Verdict.UNMET : putNumber(replace.number());
    } else if (change instanceof CellChange.Raise raise) {
      return putNumber(Math.max(before, raise.number()));
    }
    throw new IllegalArgumentException("unknown change: " + change);
  }

  private Verdict add(CellChange.Add add) {
    if (value == null && !add.create()) {
      return Verdict.UNMET;
    }
    long before = number();
    long sum = before + add.delta();
    boolean overflows = ((before ^ sum) & (add.delta() ^ sum)) < 0;
    Long floor = add.floor();
    if (floor != null && add.delta() < 0 && (overflows || sum < floor)) {
      return putNumber(Math.min(before, floor));
    }
    return overflows ? Verdict.OVERFLOW : putNumber(sum);
  }

  /** Sets the number; a cell that has it already stays as it is. */
  private Verdict putNumber(long number) {
    if (value != null && number() == number) {
      return Verdict.DONE;
    }
    return put(CellValue.of(number), value == null ? CellRecord.NEVER : endMillis);
  }

  private Verdict put(CellValue wanted, long end) {
    version = - ++changes;
    if (value == null) {
      born = version;
    }
    value = wanted;
    endMillis = end;
    return Verdict.DONE;
  }

  private Verdict delete() {
    if (value == null) {
      return Verdict.UNMET;
    }
    version = - ++changes;
    value = null;
    born = 0;
    endMillis = CellRecord.NEVER;
    return Verdict.DONE;
  }

  private static long end(long ttlMillis) {
    return ttlMillis == 0 ? CellRecord.NEVER : -ttlMillis;
  }

  private long number() {
    CellValue current = value;
    return current == null ? 0 : current.number().orElse(0);
  }
}
