package io.lockkeeper.console;

import io.lockkeeper.HolderReport;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.WaiterReport;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says why somebody waits: a thread waits for what others hold, who may themselves wait for
 * something. A thread is known by its client and its name; a request without one, such as those for
 * a {@code lock} that its client hands off, is followed no further.
 *
 * <p>A deadlock is found as the clients find it: at first all waiters are suspects. A suspect that
 * could go on even if no other suspect ever did is taken out, again and again.
 */
final class WaitGraph {

  private static final int MOST_STEPS = 20;
  private static final int MOST_HOLDERS = 8;

  /** A thread of a client. */
  private record Party(String client, String thread) {}

  /** The wait of a thread. */
  private record Wait(ResourceReport wanted, WaiterReport waiter) {}

  /**
   * A deadlock: threads, each of which waits for what the next one holds.
   *
   * @param resources what they wait for, and what all others wait for who hold it
   * @param steps who waits for what, in words
   */
  record Circle(List<ResourceReport> resources, List<String> steps) {}

  private final Map<Party, Wait> waits = new HashMap<>();
  private final List<Circle> circles = new ArrayList<>();

  WaitGraph(Collection<ResourceReport> reports) {
    for (ResourceReport report : reports) {
      for (WaiterReport waiter : report.waiters()) {
        String thread = waiter.thread();
        if (thread != null) {
          waits.put(new Party(waiter.client().id(), thread), new Wait(report, waiter));
        }
      }
    }
    findCircles();
  }

  /** Returns who stands in the way of those that wait for something: all who hold it, and so on. */
  List<String> chain(ResourceReport wanted) {
    List<String> steps = new ArrayList<>();
    Set<ResourceKey> met = new HashSet<>(List.of(ResourceKey.of(wanted)));
    Deque<ResourceReport> open = new ArrayDeque<>(List.of(wanted));
    while (!open.isEmpty() && steps.size() < MOST_STEPS) {
      ResourceReport current = open.removeFirst();
      List<HolderReport> holders = current.holders();
      for (HolderReport holder : holders.subList(0, Math.min(MOST_HOLDERS, holders.size()))) {
        Party party = party(holder);
        Wait wait = party == null ? null : waits.get(party);
        ResourceReport next = wait == null ? null : wait.wanted();
        String further = next == null ? "" : ", waits for " + title(next);
        steps.add(title(current) + " is held by " + current.describe(holder) + further);
        if (next != null && met.add(ResourceKey.of(next))) {
          open.addLast(next);
        }
      }
      if (holders.size() > MOST_HOLDERS) {
        steps.add(title(current) + " is held by " + (holders.size() - MOST_HOLDERS) + " more");
      }
    }
    boolean isStuck =
        circles.stream()
            .flatMap(circle -> circle.resources().stream())
            .anyMatch(resource -> met.contains(ResourceKey.of(resource)));
    if (isStuck) {
      steps.add("and so on: a deadlock");
    }
    return steps;
  }

  /** Returns the deadlocks. */
  List<Circle> circles() {
    return circles;
  }

  private void findCircles() {
    Set<Party> stuck = new HashSet<>(waits.keySet());
    while (stuck.removeIf(party -> !isBlocked(party, stuck))) {
      // one that waited for another that was taken out may go on too
    }
    Set<Party> done = new HashSet<>();
    for (Party begin : stuck) {
      List<Party> path = new ArrayList<>();
      Party current = begin;
      while (!done.contains(current) && !path.contains(current)) {
        path.add(current);
        current = stuckHolders(current, stuck).get(0);
      }
      if (path.contains(current)) {
        circles.add(circle(path.subList(path.indexOf(current), path.size()), stuck));
      }
      done.addAll(path);
    }
  }

  /** Returns whether a wait cannot end as long as these keep what they hold. */
  private boolean isBlocked(Party party, Set<Party> holding) {
    ResourceReport wanted = wanted(party);
    int wish = waiter(party).permits().orElse(1);
    int held =
        wanted.holders().stream()
            .filter(holder -> holding.contains(party(holder)))
            .mapToInt(holder -> holder.permits().orElse(1))
            .sum();
    return switch (wanted.kind()) {
      case LOCK, LEADER_ELECTION, READ_WRITE_LOCK ->
          held > 0; // a reader waits only behind a writer, who waits for all
      case SEMAPHORE -> {
        int limit = wanted.limit().orElse(Integer.MAX_VALUE);
        yield held > 0 && wish <= limit && limit - held < wish;
      }
      case BARRIER -> false;
    };
  }

  private Circle circle(List<Party> path, Set<Party> stuck) {
    Set<Party> involved = new LinkedHashSet<>(path);
    Deque<Party> open = new ArrayDeque<>(path);
    while (!open.isEmpty()) {
      stuckHolders(open.removeFirst(), stuck).stream().filter(involved::add).forEach(open::addLast);
    }
    return new Circle(
        involved.stream().map(this::wanted).distinct().toList(),
        path.stream().map(party -> name(party) + " waits for " + title(wanted(party))).toList());
  }

  private List<Party> stuckHolders(Party party, Set<Party> stuck) {
    return wanted(party).holders().stream().map(WaitGraph::party).filter(stuck::contains).toList();
  }

  private ResourceReport wanted(Party party) {
    return Objects.requireNonNull(waits.get(party)).wanted();
  }

  private WaiterReport waiter(Party party) {
    return Objects.requireNonNull(waits.get(party)).waiter();
  }

  private static @Nullable Party party(HolderReport holder) {
    String thread = holder.thread();
    return thread == null ? null : new Party(holder.client().id(), thread);
  }

  private String name(Party party) {
    return wanted(party).describe(waiter(party));
  }

  static String title(ResourceReport report) {
    return report.kind() + " '" + report.name() + "'";
  }
}
