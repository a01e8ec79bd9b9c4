package io.lockkeeper.console;

import io.lockkeeper.CellReport;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The knowledge of a store's resources and cells. A look asks about a part of them, so that it
 * costs the store little however many there are; some looks make a round. The resources that matter
 * most, and those in a circle of threads that wait, are asked about in every look.
 *
 * <p>For one thread at a time.
 */
final class Survey {

  /** How many resources a look asks about. A server of Redis takes about 6 µs for each. */
  static final int PART = 1_000;

  /** How many of them it asks about one by one, since they matter most. */
  private static final int AGAIN = 25;

  /** How many are kept in mind. */
  private static final int MOST_KEPT = 100_000;

  /** How many cells are asked about in a round. */
  private static final int MOST_CELLS = 500;

  /** The age after which what was seen is begun anew. */
  private static final Duration OLD = Duration.ofMinutes(10);

  /**
   * A report on a resource.
   *
   * @param look the number of the look that got it
   * @param nanos when
   */
  record Seen(ResourceReport report, long look, long nanos) {

    /** Returns how much it matters: any wait more than any hold. */
    double urgency() {
      long waited = Snapshot.longestWait(report);
      return report.waiters().isEmpty() ? -1.0 / (1 + Snapshot.oldestHold(report)) : waited;
    }
  }

  /** The order in which resources matter, the most important first. */
  static final Comparator<Seen> BY_URGENCY = Comparator.comparingDouble(Seen::urgency).reversed();

  private final Lockkeeper keeper;
  private final Map<ResourceKey, Seen> seen = new HashMap<>();
  private List<CellReport> cells = List.of();
  private boolean hasCells;
  private @Nullable ResourceReport last;
  private long look;
  private long firstOfRound = 1;
  private long looksOfRound;
  private boolean isCut;
  private long lookedAt;

  Survey(Lockkeeper keeper) {
    this.keeper = keeper;
  }

  /** Looks at the next part. */
  void look() {
    long now = System.nanoTime();
    if (look > 0 && now - lookedAt > OLD.toNanos()) {
      begin();
    }
    boolean isTurnOfCells = !hasCells;
    if (isTurnOfCells) {
      cells = keeper.cells("", MOST_CELLS + 1);
      hasCells = true;
    }
    if (isTurnOfCells && isDivided()) { // they are a part of their own then
      look++;
    } else {
      lookAtPart();
    }
    lookAgain();
    lookedAt = System.nanoTime();
  }

  private void begin() {
    seen.clear();
    last = null;
    hasCells = false;
    firstOfRound = look + 1;
    looksOfRound = 0;
  }

  private void lookAtPart() {
    List<ResourceReport> part = keeper.inspectAfter(last, PART);
    look++;
    part.forEach(this::keep);
    isCut = part.size() == PART && seen.size() >= MOST_KEPT;
    if (part.size() == PART && !isCut) {
      last = part.get(part.size() - 1);
      long longest = Math.max(looksOfRound, look - firstOfRound + 1);
      dropSeenBefore(look - longest);
    } else {
      dropSeenBefore(firstOfRound);
      looksOfRound = look - firstOfRound + 1;
      firstOfRound = look + 1;
      last = null;
      hasCells = false;
    }
  }

  private void keep(ResourceReport report) {
    seen.put(ResourceKey.of(report), new Seen(report, look, System.nanoTime()));
  }

  private void dropSeenBefore(long earliest) {
    seen.values().removeIf(one -> one.look() < earliest);
  }

  /** Asks anew about those that matter most, unless this look has seen them. */
  private void lookAgain() {
    if (seen.values().stream().allMatch(this::isNew)) {
      return;
    }
    Set<ResourceKey> wanted = new LinkedHashSet<>();
    new WaitGraph(reports(one -> !one.report().waiters().isEmpty()))
        .circles().stream()
            .flatMap(circle -> circle.resources().stream())
            .limit(AGAIN)
            .forEach(report -> wanted.add(ResourceKey.of(report)));
    seen.values().stream()
        .sorted(BY_URGENCY)
        .limit(AGAIN)
        .forEach(one -> wanted.add(ResourceKey.of(one.report())));
    for (ResourceKey key : wanted) {
      Seen known = seen.get(key);
      if (known != null && !isNew(known)) {
        ResourceReport report = keeper.inspect(key.kind(), key.name());
        if (report.isIdle()) {
          seen.remove(key);
        } else {
          keep(report);
        }
      }
    }
  }

  private List<ResourceReport> reports(Predicate<Seen> which) {
    return seen.values().stream().filter(which).map(Seen::report).toList();
  }

  /** Returns whether this look has seen it. */
  boolean isNew(Seen one) {
    return one.look() == look;
  }

  /** Returns what was seen of each resource. */
  Collection<Seen> seen() {
    return new ArrayList<>(seen.values());
  }

  /** Returns the cells: the first ones, if there are many. */
  List<CellReport> cells() {
    return cells.subList(0, Math.min(MOST_CELLS, cells.size()));
  }

  /** Returns whether there are more cells. */
  boolean hasMoreCells() {
    return cells.size() > MOST_CELLS;
  }

  /** Returns whether a round takes more than one look. */
  boolean isDivided() {
    return looksOfRound > 1 || last != null;
  }

  /** Returns whether all resources have been seen. */
  boolean isWhole() {
    return looksOfRound > 0 && !isCut;
  }
}
