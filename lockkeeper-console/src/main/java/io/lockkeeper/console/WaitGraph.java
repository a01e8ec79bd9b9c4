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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says why somebody waits: a thread waits for what others hold, who may themselves wait for
 * something. A thread is known by its client and its name; who has none is followed no further.
 */
final class WaitGraph {

  private static final int MOST_STEPS = 20;
  private static final int MOST_HOLDERS = 8;

  /** A thread of a client. */
  private record Party(String client, String thread) {}

  /**
   * A deadlock: threads, each of which waits for what the next one holds.
   *
   * @param resources what they wait for
   * @param steps who waits for what, in words
   */
  record Circle(List<ResourceReport> resources, List<String> steps) {}

  private final Map<Party, ResourceReport> waitedFor = new HashMap<>();
  private final Map<Party, String> names = new HashMap<>();
  private final List<Circle> circles = new ArrayList<>();

  WaitGraph(Collection<ResourceReport> reports) {
    for (ResourceReport report : reports) {
      for (WaiterReport waiter : report.waiters()) {
        String thread = waiter.thread();
        if (thread != null) {
          Party party = new Party(waiter.client().id(), thread);
          waitedFor.put(party, report);
          names.put(party, "thread '" + thread + "' of " + waiter.client());
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
        ResourceReport next = party == null ? null : waitedFor.get(party);
        String waits = next == null ? "" : ", waits for " + title(next);
        steps.add(title(current) + " is held by " + name(holder) + waits);
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
    Set<Party> done = new HashSet<>();
    for (Party begin : waitedFor.keySet()) {
      Deque<Party> path = new ArrayDeque<>();
      Party current = begin;
      while (current != null && !done.contains(current) && !path.contains(current)) {
        path.addLast(current);
        current = next(current);
      }
      if (current != null && path.contains(current)) {
        while (!current.equals(path.peekFirst())) {
          done.add(path.removeFirst());
        }
        circles.add(
            new Circle(
                path.stream().map(this::wanted).toList(),
                path.stream()
                    .map(party -> names.get(party) + " waits for " + title(wanted(party)))
                    .toList()));
      }
      done.addAll(path);
    }
  }

  private ResourceReport wanted(Party party) {
    return Objects.requireNonNull(waitedFor.get(party));
  }

  /** The thread that holds all of what is waited for, if one does. */
  private @Nullable Party next(Party party) {
    ResourceReport wanted = waitedFor.get(party);
    return wanted == null || wanted.holders().size() != 1 ? null : party(wanted.holders().get(0));
  }

  private static @Nullable Party party(HolderReport holder) {
    String thread = holder.thread();
    return thread == null ? null : new Party(holder.client().id(), thread);
  }

  private static String name(HolderReport holder) {
    String thread = holder.thread();
    return (thread == null ? "" : "thread '" + thread + "' of ") + holder.client();
  }

  static String title(ResourceReport report) {
    return report.kind() + " '" + report.name() + "'";
  }
}
