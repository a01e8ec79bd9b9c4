package io.lockkeeper.console;

import io.lockkeeper.CellReport;
import io.lockkeeper.HolderReport;
import io.lockkeeper.Lockkeeper;
import io.lockkeeper.ResourceGlance;
import io.lockkeeper.ResourceQuery;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.WaiterReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The knowledge of a store's resources and cells.
 *
 * <p>Where the store can, a look glances at all resources, and asks only about those that are new
 * or have changed, at most {@link #PART} of them; what was known of the others is carried on.
 * Elsewhere a look asks about a part of them, and some looks make a round. So it costs the store
 * little however many there are. The resources that matter most, and those in a circle of threads
 * that wait, are asked about in every look.
 *
 * <p>For one thread at a time.
 */
final class Survey {

  /** How many resources a look asks about. A server of Redis takes about 6 µs for each. */
  static final int PART = 1_000;

  /**
   * How many it glances at: 10,000, and one that says that there are more. A server of Redis takes
   * about 1.5 µs for each.
   */
  static final int MOST_GLANCES = 10_001;

  /** How many of them it asks about in any case, since they matter most. */
  private static final int AGAIN = 25;

  /** How many are kept in mind. */
  private static final int MOST_KEPT = 100_000;

  /** How many cells are asked about in a round. */
  private static final int MOST_CELLS = 500;

  /** After how many looks cells are asked about again if there are many resources. */
  private static final int LOOKS_PER_CELLS = 10;

  /** The age after which what was seen is begun anew. */
  private static final Duration OLD = Duration.ofMinutes(10);

  /**
   * A report on a resource.
   *
   * @param stamp the stamp of the glance that led to it; null if there was none
   * @param look the number of the last look that found the resource
   * @param asked the number of the look that asked about it
   * @param nanos when the report was true
   */
  record Seen(ResourceReport report, @Nullable String stamp, long look, long asked, long nanos) {

    /** Returns how much it matters: any wait more than any hold. */
    double urgency() {
      long waited = Snapshot.longestWait(report);
      return report.waiters().isEmpty() ? -1.0 / (1 + Snapshot.oldestHold(report)) : waited;
    }

    boolean isWaitedFor() {
      return !report.waiters().isEmpty();
    }

    /** Returns whether it still holds by a later glance. */
    boolean stillHolds(ResourceGlance glance, long now) {
      return glance.stamp().equals(stamp)
          && (glance.leaseLeft() != null
              || report.holders().stream()
                  .allMatch(holder -> holder.leaseLeft().toNanos() > now - nanos));
    }

    /** Returns it as it is known to be by a later glance. */
    Seen carriedOn(ResourceGlance glance, long laterLook, long now) {
      Duration by = Duration.ofNanos(now - nanos);
      List<HolderReport> holders =
          report.holders().stream().map(holder -> later(holder, by, glance.leaseLeft())).toList();
      List<WaiterReport> waiters =
          report.waiters().stream().map(waiter -> later(waiter, by)).toList();
      ResourceReport later =
          new ResourceReport(report.kind(), report.name(), report.limit(), holders, waiters);
      return new Seen(later, stamp, laterLook, asked, now);
    }

    private static HolderReport later(
        HolderReport holder, Duration by, @Nullable Duration leaseLeft) {
      return new HolderReport(
          holder.kind(),
          holder.name(),
          holder.grant(),
          holder.client(),
          holder.thread(),
          holder.token(),
          holder.permits(),
          holder.held().plus(by),
          leaseLeft == null ? holder.leaseLeft().minus(by) : leaseLeft,
          holder.resting());
    }

    private static WaiterReport later(WaiterReport waiter, Duration by) {
      return new WaiterReport(
          waiter.client(),
          waiter.thread(),
          waiter.position(),
          waiter.permits(),
          waiter.waited().plus(by));
    }

    /** Returns it as it was, found by a later look that has not asked about it. */
    Seen foundAgain(long laterLook) {
      return new Seen(report, stamp, laterLook, asked, nanos);
    }
  }

  /** The order in which resources matter, the most important first. */
  static final Comparator<Seen> BY_URGENCY = Comparator.comparingDouble(Seen::urgency).reversed();

  private static final Comparator<Seen> BY_LAST_QUESTION = Comparator.comparingLong(Seen::asked);

  private final Lockkeeper keeper;
  private final Map<ResourceKey, Seen> seen = new HashMap<>();
  private List<CellReport> cells = List.of();
  private boolean hasCells;
  private long lookAtCells;

  /** Where the next part begins; null at the beginning of a round. */
  private @Nullable ResourceGlance last;

  private long look;
  private long firstOfRound = 1;
  private long looksOfRound;
  private boolean isCut;

  /** Whether this round has glanced at resources that nothing more is known of. */
  private boolean isBehind;

  /** Whether the last round did. */
  private boolean wasBehind;

  private long lookedAt;

  Survey(Lockkeeper keeper) {
    this.keeper = keeper;
  }

  /** Looks at what is there, or at the next part of it. */
  void look() {
    long now = System.nanoTime();
    if (look > 0 && now - lookedAt > OLD.toNanos()) {
      begin();
    }
    boolean isTurnOfCells = !hasCells;
    if (isTurnOfCells) {
      cells = keeper.admin().cells(ResourceQuery.all().limit(MOST_CELLS + 1));
      hasCells = true;
      lookAtCells = look;
    }
    if (isTurnOfCells && isMany()) { // they are a part of their own then
      look++;
      firstOfRound = look + 1;
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
    isBehind = false;
    firstOfRound = look + 1;
    looksOfRound = 0;
  }

  private boolean isMany() {
    return isDivided() || seen.size() > PART;
  }

  private void lookAtPart() {
    long now = System.nanoTime();
    Optional<List<ResourceGlance>> glances = keeper.admin().glance(next(MOST_GLANCES));
    look++;
    if (glances.isPresent()) {
      List<ResourceGlance> part = glances.get();
      lookAtChanges(part, now);
      endPart(part.size() < MOST_GLANCES ? null : part.get(part.size() - 1));
    } else {
      List<ResourceReport> part = keeper.admin().inspect(next(PART));
      part.forEach(report -> keep(report, null));
      endPart(part.size() < PART ? null : glance(part.get(part.size() - 1), ""));
    }
  }

  private ResourceQuery next(int limit) {
    ResourceQuery first = ResourceQuery.parts(limit);
    return last == null ? first : first.after(last);
  }

  private static ResourceGlance glance(ResourceReport report, @Nullable String stamp) {
    return new ResourceGlance(report.kind(), report.name(), stamp == null ? "" : stamp, null);
  }

  private void endPart(@Nullable ResourceGlance end) {
    isCut = end != null && seen.size() >= MOST_KEPT;
    if (end != null && !isCut) {
      last = end;
      long longest = Math.max(looksOfRound, look - firstOfRound + 1);
      dropSeenBefore(look - longest);
    } else {
      dropSeenBefore(firstOfRound);
      looksOfRound = look - firstOfRound + 1;
      firstOfRound = look + 1;
      last = null;
      wasBehind = isBehind;
      isBehind = false;
      hasCells = looksOfRound == 1 && isMany() && look - lookAtCells < LOOKS_PER_CELLS;
    }
  }

  /** Carries on what still holds, and asks about some of what does not. */
  private void lookAtChanges(List<ResourceGlance> glances, long now) {
    List<ResourceGlance> fresh = new ArrayList<>();
    List<ResourceGlance> changed = new ArrayList<>();
    for (ResourceGlance glance : glances) {
      ResourceKey key = new ResourceKey(glance.kind(), glance.name());
      Seen known = seen.get(key);
      if (known == null) {
        fresh.add(glance);
      } else if (known.stillHolds(glance, now)) {
        seen.put(key, known.carriedOn(glance, look, now));
      } else {
        changed.add(glance);
        seen.put(key, known.foundAgain(look));
      }
    }
    // Those that were asked about longest ago first, and if there are many, half of each.
    changed.sort(Comparator.comparingLong(this::askedAbout));
    int news = Math.min(fresh.size(), PART - Math.min(changed.size(), PART / 2));
    isBehind |= news < fresh.size();
    List<ResourceGlance> wanted = new ArrayList<>(fresh.subList(0, news));
    wanted.addAll(changed.subList(0, Math.min(changed.size(), PART - news)));
    ask(wanted);
  }

  private long askedAbout(ResourceGlance glance) {
    Seen known = seen.get(new ResourceKey(glance.kind(), glance.name()));
    return known == null ? 0 : known.asked();
  }

  /** Asks about resources, and keeps what those glances led to. */
  private void ask(Collection<ResourceGlance> wanted) {
    Map<ResourceKey, String> stamps = new HashMap<>();
    wanted.forEach(one -> stamps.put(new ResourceKey(one.kind(), one.name()), one.stamp()));
    if (!stamps.isEmpty()) {
      for (ResourceReport report : keeper.admin().inspect(wanted)) {
        String stamp = stamps.remove(ResourceKey.of(report));
        keep(report, stamp == null || stamp.isEmpty() ? null : stamp);
      }
      seen.keySet().removeAll(stamps.keySet());
    }
  }

  private void keep(ResourceReport report, @Nullable String stamp) {
    seen.put(ResourceKey.of(report), new Seen(report, stamp, look, look, System.nanoTime()));
  }

  private void dropSeenBefore(long earliest) {
    seen.values().removeIf(one -> one.look() < earliest);
  }

  /**
   * Asks anew about those that matter most, unless this look has; and where looks glance, about
   * those that were asked about longest ago, since a glance does not say all.
   */
  private void lookAgain() {
    if (seen.values().stream().allMatch(this::isNew)) {
      return;
    }
    Set<ResourceKey> wanted = new LinkedHashSet<>();
    new WaitGraph(reports(Seen::isWaitedFor))
        .circles().stream()
            .flatMap(circle -> circle.resources().stream())
            .limit(AGAIN)
            .forEach(report -> wanted.add(ResourceKey.of(report)));
    addFirst(wanted, BY_URGENCY, one -> true);
    addFirst(wanted, BY_LAST_QUESTION, one -> one.stamp() != null && one.isWaitedFor());
    addFirst(wanted, BY_LAST_QUESTION, one -> one.stamp() != null && !one.isWaitedFor());
    ask(
        wanted.stream()
            .map(seen::get)
            .filter(one -> one != null && !isNew(one))
            .map(one -> glance(one.report(), one.stamp()))
            .toList());
  }

  private void addFirst(Set<ResourceKey> wanted, Comparator<Seen> order, Predicate<Seen> which) {
    seen.values().stream()
        .filter(which)
        .sorted(order)
        .limit(AGAIN)
        .forEach(one -> wanted.add(ResourceKey.of(one.report())));
  }

  private List<ResourceReport> reports(Predicate<Seen> which) {
    return seen.values().stream().filter(which).map(Seen::report).toList();
  }

  /** Returns whether this look has asked about it. */
  boolean isNew(Seen one) {
    return one.asked() == look;
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
    return looksOfRound > 0 && !isCut && !wasBehind;
  }
}
