package io.lockkeeper.lab.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Nobody waits for what is free, and nobody waits for ever: not while nothing is wrong, and so not
 * after the last fault.
 */
final class WakeUpRule implements Rule {

  @Override
  public List<RuleResult> check(Story story) {
    List<Violation> idle = new ArrayList<>();
    List<Violation> waits = new ArrayList<>();
    long requests = 0;
    for (String resource : story.resources(IdleTime.HELD)) {
      requests += story.requests(resource).size();
      checkIdle(story, resource, idle);
      checkWaits(story, resource, waits);
    }
    return List.of(
        new RuleResult("W1", "nobody waits for what is free", requests, idle),
        new RuleResult("W9", "everybody gets a turn", requests, waits));
  }

  private static void checkIdle(Story story, String resource, List<Violation> violations) {
    long limit = story.settings().idleLimit().toNanos();
    for (IdleTime idle : IdleTime.of(story, resource)) {
      if (story.calm().nanos(idle.from(), idle.to()) > limit) {
        idle.waiters(story)
            .filter(wait -> story.calm().nanos(wait.from(), wait.to()) > limit)
            .findFirst()
            .ifPresent(wait -> violations.add(violation(story, idle, wait)));
      }
    }
  }

  private static Violation violation(Story story, IdleTime idle, IdleTime.Wait wait) {
    List<Hold> shown = new ArrayList<>(idle.around());
    shown.remove(wait.waiter());
    shown.add(wait.waiter());
    return new Violation(
        "W1",
        idle.resource(),
        "%s waited %.1f s for what nobody held"
            .formatted(
                wait.waiter().ask().actor(), story.calm().nanos(wait.from(), wait.to()) / 1e9),
        Story.evidence(shown));
  }

  /** Returns for how long, at most, what was free was waited for after the last fault was over. */
  static Duration recovery(Story story) {
    OptionalLong healed = story.lastHealed();
    if (healed.isEmpty()) {
      return Duration.ZERO;
    }
    return Duration.ofNanos(
        story.resources(IdleTime.HELD).stream()
            .flatMap(resource -> IdleTime.of(story, resource).stream())
            .filter(idle -> idle.to() > healed.getAsLong())
            .flatMap(idle -> idle.waiters(story))
            .mapToLong(wait -> wait.nanosAfter(healed.getAsLong()))
            .max()
            .orElse(0));
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
