package io.lockkeeper.console;

import io.lockkeeper.HolderReport;
import io.lockkeeper.ResourceReport;
import io.lockkeeper.WaiterReport;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says why somebody waits: a thread waits for what another one holds, which may itself wait for
 * something. A thread is known by its client and its name; who has none is followed no further.
 */
final class WaitGraph {

  private static final int MOST_STEPS = 20;

  /** A thread of a client. */
  private record Party(String client, String thread) {}

  private final Map<Party, ResourceReport> waitedFor = new HashMap<>();
  private final Map<Party, String> names = new HashMap<>();

  WaitGraph(List<ResourceReport> reports) {
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
  }

  /** Returns who stands in the way of those that wait for something, one after the other. */
  List<String> chain(ResourceReport wanted) {
    List<String> steps = new ArrayList<>();
    Set<Party> seen = new HashSet<>();
    ResourceReport current = wanted;
    while (current != null && steps.size() < MOST_STEPS && !current.holders().isEmpty()) {
      HolderReport holder = current.holders().get(0);
      Party party = party(holder);
      ResourceReport next = party == null ? null : waitedFor.get(party);
      String more = current.holders().size() > 1 ? " and others" : "";
      String waits = next == null ? "" : ", waits for " + title(next);
      steps.add(title(current) + " is held by " + name(holder) + more + waits);
      if (party != null && !seen.add(party)) {
        steps.add("and so on: a deadlock");
        break;
      }
      current = next;
    }
    return steps;
  }

  /** Returns the circles of threads, each of which waits for what the next one holds. */
  List<List<String>> circles() {
    List<List<String>> circles = new ArrayList<>();
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
            path.stream()
                .map(party -> names.get(party) + " waits for " + title(waitedFor.get(party)))
                .toList());
      }
      done.addAll(path);
    }
    return circles;
  }

  /** Who holds all of what is waited for, if one thread does. */
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

  static String title(@Nullable ResourceReport report) {
    return report == null ? "nothing" : report.kind() + " '" + report.name() + "'";
  }
}
