package io.lockkeeper.lab.check;

import io.lockkeeper.lab.history.ResourceType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;

/** In default mode nobody is overtaken without end, while nothing is wrong. */
final class BypassRule implements Rule {

  private static final int EXAMPLES = 20;

  @Override
  public List<RuleResult> check(Story story) {
    List<Violation> violations = new ArrayList<>();
    long checked = 0;
    for (String resource : story.resources(EnumSet.of(ResourceType.LOCK))) {
      List<Hold> holds = story.holds(resource);
      long[] starts = holds.stream().mapToLong(Hold::start).toArray();
      for (Hold waiter : story.requests(resource)) {
        long from = waiter.ask().nanos();
        long to = story.waitEnd(waiter);
        if (to > from && story.calm().isWhole(from, to)) {
          checked++;
          long overtaken = (long) index(starts, to) - index(starts, from);
          if (overtaken > story.settings().maxBypass()) {
            violations.add(violation(resource, waiter, overtaken, holds, index(starts, from)));
          }
        }
      }
    }
    return List.of(new RuleResult("W3", "bounded overtaking", checked, violations));
  }

  private static Violation violation(
      String resource, Hold waiter, long overtaken, List<Hold> holds, int first) {
    List<Hold> shown =
        new ArrayList<>(holds.subList(first, Math.min(first + EXAMPLES, holds.size())));
    shown.remove(waiter);
    shown.add(0, waiter);
    return new Violation(
        "W3",
        resource,
        waiter.ask().actor() + " was overtaken " + overtaken + " times",
        Story.evidence(shown));
  }

  private static int index(long[] starts, long nanos) {
    int found = Arrays.binarySearch(starts, nanos);
    return found < 0 ? -found - 1 : found;
  }
}
