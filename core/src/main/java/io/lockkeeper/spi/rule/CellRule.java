package io.lockkeeper.spi.rule;

import io.lockkeeper.spi.CellChange;
import io.lockkeeper.spi.CellId;
import io.lockkeeper.spi.CellResult;
import io.lockkeeper.spi.CellResult.Verdict;
import io.lockkeeper.spi.CellUpdate;
import io.lockkeeper.spi.CellValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rule of cells: what the changes of one update make of what a cell holds.
 *
 * <p>Which updates are repeated or late is for the store to know, which remembers the last one of
 * each client for a time on its own clock.
 */
public final class CellRule {

  /** The numbers that a store gives when it writes. */
  public interface Writing {

    /** Returns a version that is larger than all before, given the latest of the cell. */
    long version(long latest);

    /** Returns the end of a time to live, which is positive, that begins with this writing. */
    long end(long ttlMillis);

    /** Returns the numbers of a store that has a clock, and for which a version is a time. */
    static Writing at(long nowMicros) {
      return new Writing() {
        @Override
        public long version(long latest) {
          return Math.max(latest + 1, nowMicros);
        }

        @Override
        public long end(long ttlMillis) {
          return nowMicros + Math.multiplyExact(ttlMillis, 1_000L);
        }
      };
    }
  }

  /**
   * The outcome of an update.
   *
   * @param before what the cell held before, without a value that was over
   * @param after what it holds now
   * @param results what became of each change
   */
  public record Updated(CellContent before, CellContent after, List<CellResult> results) {

    /** Copies the list. */
    public Updated {
      results = List.copyOf(results);
    }

    /** Returns whether the cell is not what it was. */
    public boolean isChange() {
      return after.version() != before.version();
    }
  }

  private final Writing writing;
  private CellContent content;

  private CellRule(CellContent content, Writing writing) {
    this.content = content;
    this.writing = writing;
  }

  /** Returns why a store refuses an update that comes after a later one of the same client. */
  public static String cameLate(CellUpdate update) {
    CellId cell = update.cell();
    return "an update of cell %s %s came after a later one of this client"
        .formatted(cell.kind().suffix(), cell.name());
  }

  /**
   * Makes the changes of an update, in order.
   *
   * @param before what the cell holds; a value whose time is over must be gone
   */
  public static Updated update(CellContent before, CellUpdate update, Writing writing) {
    CellRule rule = new CellRule(before, writing);
    List<CellResult> results = new ArrayList<>();
    update.changes().forEach(change -> results.add(rule.make(change)));
    return new Updated(before, rule.content, results);
  }

  private CellResult make(CellChange change) {
    long before = content.number();
    Verdict verdict = change(change);
    return new CellResult(
        verdict, content.isPresent() ? content.version() : 0, before, content.number());
  }

  private Verdict change(CellChange change) {
    boolean isThere = content.isPresent();
    if (change instanceof CellChange.Create create) {
      return isThere ? Verdict.UNMET : set(create.value(), end(create.ttlMillis()));
    } else if (change instanceof CellChange.Put put) {
      return set(put.value(), end(put.ttlMillis()));
    } else if (change instanceof CellChange.Replace replace) {
      boolean isMet = isThere && content.version() == replace.version();
      return isMet ? set(replace.value(), end(replace.ttlMillis())) : Verdict.UNMET;
    } else if (change instanceof CellChange.Delete) {
      return isThere ? set(null, CellContent.NEVER) : Verdict.UNMET;
    }
    CellValue value = content.value();
    return value == null || value.number().isPresent()
        ? changeNumber(change, content.number())
        : Verdict.NOT_A_NUMBER;
  }

  private Verdict changeNumber(CellChange change, long before) {
    if (change instanceof CellChange.Add add) {
      return content.isPresent() || add.create() ? add(add, before) : Verdict.UNMET;
    } else if (change instanceof CellChange.ReplaceNumber replace) {
      return before == replace.expected() ? setNumber(replace.number()) : Verdict.UNMET;
    } else if (change instanceof CellChange.Raise raise) {
      return setNumber(Math.max(before, raise.number()));
    }
    throw new IllegalArgumentException("unknown change: " + change);
  }

  private Verdict add(CellChange.Add add, long before) {
    long sum = before + add.delta();
    boolean overflows = ((before ^ sum) & (add.delta() ^ sum)) < 0;
    Long floor = add.floor();
    if (floor != null && add.delta() < 0 && (overflows || sum < floor)) {
      return setNumber(Math.min(before, floor));
    }
    return overflows ? Verdict.OVERFLOW : setNumber(sum);
  }

  /** Sets the number, and leaves the time to live; a cell that has the number stays as it is. */
  private Verdict setNumber(long number) {
    if (content.isPresent() && content.number() == number) {
      return Verdict.DONE;
    }
    return set(CellValue.of(number), content.end());
  }

  /** Sets the value, or ends the cell. */
  private Verdict set(@Nullable CellValue value, long end) {
    long version = writing.version(content.version());
    long born = content.isPresent() ? content.born() : version;
    content = new CellContent(value, version, born, end);
    return Verdict.DONE;
  }

  private long end(long ttlMillis) {
    return ttlMillis == 0 ? CellContent.NEVER : writing.end(ttlMillis);
  }
}
