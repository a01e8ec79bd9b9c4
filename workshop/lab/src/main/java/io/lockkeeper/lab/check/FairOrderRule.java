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
final class FairOrderRule {

  static List<RuleResult> check(Story story) {
    Findings byCount = new Findings("W2", "fair by the store's arrivals");
    Findings byTime = new Findings("W2", "fair by the clock");
    for (String resource : story.resources(EnumSet.of(ResourceType.FAIR))) {
      checkCounts(story, story.validHolds(resource), byCount);
      checkTimes(story, resource, byTime);
    }
    return List.of(byCount.result(), byTime.result());
  }

  private static void checkCounts(Story story, List<Hold> holds, Findings findings) {
    @Nullable Hold before = null;
    for (Hold hold : holds.stream().filter(it -> it.arrival() >= 0).toList()) {
      findings.checked(1);
      // A store that has lost its memory counts anew, and so does one whose clock stands elsewhere.
      if (before != null
          && before.arrival() > hold.arrival()
          && story.calm().isWhole(before.ask().nanos(), hold.start())) {
        findings.add(
            List.of(before, hold),
            "arrival %d of %s was admitted after arrival %d of %s",
            hold.arrival(),
            hold.ask().actor(),
            before.arrival(),
            before.ask().actor());
      }
      before = hold;
    }
  }

  private static void checkTimes(Story story, String resource, Findings findings) {
    long gap = story.settings().fairGap().toNanos();
    List<Hold> waiting = new ArrayList<>(story.requests(resource));
    waiting.sort(Comparator.comparingLong(hold -> hold.ask().nanos()));
    for (Hold hold : story.validHolds(resource)) {
      findings.checked(1);
      for (Hold other : waiting) {
        long later = hold.ask().nanos() - other.ask().nanos();
        if (later <= gap) {
          break;
        }
        if (story.waitEnd(other) > hold.start()
            && story.calm().isWhole(other.ask().nanos(), hold.start())) {
          findings.add(
              List.of(other, hold),
              "%s asked %.1f s after %s and was admitted before",
              hold.ask().actor(),
              later / 1e9,
              other.ask().actor());
        }
      }
      waiting.removeIf(other -> story.waitEnd(other) <= hold.start());
    }
  }
}
