package io.lockkeeper.engine.deadlock;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the circles of threads that wait for each other.
 *
 * <p>A thread that holds something without waiting for long is not in the graph: it will go on by
 * itself, and what it holds will come free. At first all threads in the graph are suspected. One
 * that could go on even if none of the suspected ever did is taken out, again and again; those that
 * are left can never go on. This is how deadlocks are found where a wait may be ended by any of
 * several holders (Holt, 1972).
 */
final class WaitGraph {

  private WaitGraph() {}

  /** Returns the circles, each in the order in which its members wait for each other. */
  static List<List<Suspect>> circles(Collection<Suspect> suspects) {
    List<Suspect> stuck = stuck(suspects);
    List<List<Suspect>> circles = new ArrayList<>();
    Set<Suspect> seen = new HashSet<>();
    for (Suspect start : stuck) {
      List<Suspect> circle = circleFrom(start, stuck, seen);
      if (!circle.isEmpty()) {
        circles.add(circle);
      }
    }
    return circles;
  }

  /** Returns those who can never go on. */
  private static List<Suspect> stuck(Collection<Suspect> suspects) {
    List<Suspect> stuck = new ArrayList<>(suspects);
    boolean changed = true;
    while (changed) {
      List<Suspect> left = List.copyOf(stuck);
      changed = stuck.removeIf(waiter -> !isBlockedBy(waiter, left));
    }
    return stuck;
  }

  /** Returns whether a wait cannot end as long as these keep what they hold. */
  private static boolean isBlockedBy(Suspect waiter, Collection<Suspect> holders) {
    long held = holders.stream().mapToLong(holder -> holder.permitsOf(waiter.resource())).sum();
    return switch (waiter.resource().kind()) {
      case LOCK, LEADER_ELECTION, READ_WRITE_LOCK ->
          held > 0; // a reader waits only behind a writer, who waits for all
      case SEMAPHORE ->
          held > 0
              && waiter.permits() <= waiter.limit()
              && waiter.limit() - held < waiter.permits();
      case BARRIER -> false;
    };
  }

  /** Follows the waits until one is met again; what was seen from an earlier start is not new. */
  private static List<Suspect> circleFrom(Suspect start, List<Suspect> stuck, Set<Suspect> seen) {
    LinkedHashSet<Suspect> way = new LinkedHashSet<>();
    Suspect at = start;
    while (way.add(at)) {
      if (!seen.add(at)) {
        return List.of();
      }
      at = next(at, stuck);
    }
    List<Suspect> all = new ArrayList<>(way);
    return all.subList(all.indexOf(at), all.size());
  }

  private static Suspect next(Suspect waiter, List<Suspect> stuck) {
    for (Suspect holder : stuck) {
      if (holder.permitsOf(waiter.resource()) > 0) {
        return holder;
      }
    }
    throw new IllegalStateException("stuck without anybody in the way");
  }
}
