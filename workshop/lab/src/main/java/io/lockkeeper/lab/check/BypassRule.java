package io.lockkeeper.lab.check;

import io.lockkeeper.lab.history.ResourceType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;

/** In default mode nobody is overtaken without end, while nothing is wrong. */
final class BypassRule {

  private static final int EXAMPLES = 20;

  static List<RuleResult> check(Story story) {
    Findings findings = new Findings("W3", "bounded overtaking");
    for (String resource : story.resources(EnumSet.of(ResourceType.LOCK))) {
      List<Hold> holds = story.holds(resource);
      long[] starts = holds.stream().mapToLong(Hold::start).toArray();
      for (Hold waiter : story.requests(resource)) {
        long from = waiter.ask().nanos();
        long to = story.waitEnd(waiter);
        if (to > from && story.calm().isWhole(from, to)) {
          findings.checked(1);
          int first = index(starts, from);
          long overtaken = (long) index(starts, to) - first;
          if (overtaken > story.settings().maxBypass()) {
            int last = Math.min(first + EXAMPLES, holds.size());
            List<Hold> shown = new ArrayList<>(holds.subList(first, last));
            shown.remove(waiter);
            shown.add(0, waiter);
            findings.add(shown, "%s was overtaken %d times", waiter.ask().actor(), overtaken);
          }
        }
      }
    }
    return List.of(findings.result());
  }

  private static int index(long[] starts, long nanos) {
    int found = Arrays.binarySearch(starts, nanos);
    return found < 0 ? -found - 1 : found;
  }
}
