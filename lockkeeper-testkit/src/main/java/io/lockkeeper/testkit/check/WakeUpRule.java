package io.lockkeeper.testkit.check;

import io.lockkeeper.testkit.history.ResourceType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Nobody waits for what is free, and nobody waits for ever: not while nothing is wrong, and so not
 * after the last fault.
 */
final class WakeUpRule implements Rule {

  private static final Set<ResourceType> HELD =
      EnumSet.of(ResourceType.LOCK, ResourceType.FAIR, ResourceType.RW, ResourceType.SEMAPHORE);

  @Override
  public List<RuleResult> check(Story story) {
    List<Violation> idle = new ArrayList<>();
    List<Violation> waits = new ArrayList<>();
    long requests = 0;
    for (String resource : story.resources(HELD)) {
      requests += story.requests(resource).size();
      checkIdle(story, resource, idle);
      checkWaits(story, resource, waits);
    }
    return List.of(
        new RuleResult("W1", "nobody waits for what is free", requests, idle),
        new RuleResult("W9", "everybody gets a turn", requests, waits));
  }

  private static void checkIdle(Story story, String resource, List<Violation> violations) {
    List<Hold> requests = story.requests(resource);
    List<Hold> around = new ArrayList<>();
    long freeSince = requests.isEmpty() ? story.end() : requests.get(0).ask().nanos();
    for (Hold hold : story.holds(resource)) {
      around.add(hold);
      checkGap(story, resource, freeSince, hold.start(), around, violations);
      if (hold.widestEnd() >= freeSince) {
        freeSince = hold.widestEnd();
        around.clear();
        around.add(hold);
      }
    }
    checkGap(story, resource, freeSince, story.end(), around, violations);
  }

  /** Looks for somebody who waited in this time, between the holds around it. */
  private static void checkGap(
      Story story,
      String resource,
      long from,
      long to,
      List<Hold> around,
      List<Violation> violations) {
    long limit = story.settings().idleLimit().toNanos();
    if (story.calm().nanos(from, to) <= limit) {
      return;
    }
    for (Hold waiter : story.requests(resource)) {
      long began = Math.max(from, waiter.ask().nanos());
      long ended = Math.min(to, story.waitEnd(waiter));
      long calm = story.calm().nanos(began, ended);
      if (calm > limit) {
        List<Hold> shown = new ArrayList<>(around);
        shown.remove(waiter);
        shown.add(waiter);
        violations.add(
            new Violation(
                "W1",
                resource,
                "%s waited %.1f s for what nobody held".formatted(waiter.ask().actor(), calm / 1e9),
                Story.evidence(shown)));
        return;
      }
    }
  }

  private static void checkWaits(Story story, String resource, List<Violation> violations) {
    long limit = story.settings().waitLimit().toNanos();
    for (Hold waiter : story.requests(resource)) {
      long calm = story.calm().nanos(waiter.ask().nanos(), story.waitEnd(waiter));
      if (calm > limit) {
        violations.add(
            new Violation(
                "W9",
                resource,
                "%s waited for %.1f s".formatted(waiter.ask().actor(), calm / 1e9),
                Story.evidence(waiter)));
      }
    }
  }
}
