package io.lockkeeper.lab.check;

import io.lockkeeper.lab.history.ResourceType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fair locks are granted in the order of arrival: by the store's own count of arrivals, and, while
 * nothing is wrong, of two requests of which one began much later than the other.
 */
final class FairOrderRule implements Rule {

  @Override
  public List<RuleResult> check(Story story) {
    List<Violation> byCount = new ArrayList<>();
    List<Violation> byTime = new ArrayList<>();
    long counted = 0;
    long timed = 0;
    for (String resource : story.resources(EnumSet.of(ResourceType.FAIR))) {
      List<Hold> holds = story.holds(resource).stream().filter(Hold::wasValid).toList();
      counted += checkCounts(story, resource, holds, byCount);
      timed += holds.size();
      checkTimes(story, resource, holds, byTime);
    }
    return List.of(
        new RuleResult("W2", "fair by the store's arrivals", counted, byCount),
        new RuleResult("W2", "fair by the clock", timed, byTime));
  }

  private static long checkCounts(
      Story story, String resource, List<Hold> holds, List<Violation> violations) {
    @Nullable Hold before = null;
    long count = 0;
    for (Hold hold : holds) {
      if (hold.arrival() < 0) {
        continue;
      }
      count++;
      // A store that has lost its memory counts anew, and so does one whose clock stands elsewhere.
      boolean comparable =
          before != null && story.calm().isWhole(before.ask().nanos(), hold.start());
      if (before != null && comparable && before.arrival() > hold.arrival()) {
        violations.add(
            new Violation(
                "W2",
                resource,
                "arrival %d of %s was admitted after arrival %d of %s"
                    .formatted(
                        hold.arrival(), hold.ask().actor(), before.arrival(), before.ask().actor()),
                Story.evidence(before, hold)));
      }
      before = hold;
    }
    return count;
  }

  private static void checkTimes(
      Story story, String resource, List<Hold> holds, List<Violation> violations) {
    long gap = story.settings().fairGap().toNanos();
    List<Hold> waiting = new ArrayList<>(story.requests(resource));
    waiting.sort(Comparator.comparingLong(hold -> hold.ask().nanos()));
    for (Hold hold : holds) {
      for (Hold other : waiting) {
        if (other.ask().nanos() + gap >= hold.ask().nanos()) {
          break;
        }
        if (story.waitEnd(other) > hold.start()
            && story.calm().isWhole(other.ask().nanos(), hold.start())) {
          violations.add(
              new Violation(
                  "W2",
                  resource,
                  "%s asked %.1f s after %s and was admitted before"
                      .formatted(
                          hold.ask().actor(),
                          (hold.ask().nanos() - other.ask().nanos()) / 1e9,
                          other.ask().actor()),
                  Story.evidence(other, hold)));
        }
      }
      waiting.removeIf(other -> story.waitEnd(other) <= hold.start());
    }
  }
}
