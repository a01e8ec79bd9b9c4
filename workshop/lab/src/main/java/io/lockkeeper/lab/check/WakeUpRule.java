package io.lockkeeper.lab.check;

import io.lockkeeper.lab.history.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Nobody waits for what is free, and nobody waits for ever: not while nothing is wrong, and so not
 * after the last fault.
 */
final class WakeUpRule {

  /** What can be held, and so be idle. */
  private static final Set<ResourceType> HELD =
      EnumSet.of(ResourceType.LOCK, ResourceType.FAIR, ResourceType.RW, ResourceType.SEMAPHORE);

  /** A time in which nobody had a resource, as far as its users know. */
  private record IdleTime(long from, long to, List<Hold> holdsAround) {

    /** Returns the waits during it, in the order of their requests. */
    Stream<Wait> waits(Story story, String resource) {
      return story.requests(resource).stream()
          .map(
              waiter ->
                  new Wait(
                      waiter,
                      Math.max(from, waiter.ask().nanos()),
                      Math.min(to, story.waitEnd(waiter))))
          .filter(wait -> wait.to > wait.from);
    }
  }

  /** A time in which somebody waited although nobody had it. */
  private record Wait(Hold waiter, long from, long to) {}

  static List<RuleResult> check(Story story) {
    Findings idle = new Findings("W1", "nobody waits for what is free");
    Findings waits = new Findings("W9", "everybody gets a turn");
    for (String resource : story.resources(HELD)) {
      idle.checked(story.requests(resource).size());
      waits.checked(story.requests(resource).size());
      idleTimes(story, resource).forEach(time -> checkIdle(story, resource, time, idle));
      checkWaits(story, resource, waits);
    }
    return List.of(idle.result(), waits.result());
  }

  private static List<IdleTime> idleTimes(Story story, String resource) {
    List<IdleTime> idle = new ArrayList<>();
    List<Hold> requests = story.requests(resource);
    List<Hold> around = new ArrayList<>();
    long freeSince = requests.isEmpty() ? story.end() : requests.get(0).ask().nanos();
    for (Hold hold : story.holds(resource)) {
      around.add(hold);
      if (hold.start() > freeSince) {
        idle.add(new IdleTime(freeSince, hold.start(), List.copyOf(around)));
      }
      if (hold.widestEnd() >= freeSince) {
        freeSince = hold.widestEnd();
        around.clear();
        around.add(hold);
      }
    }
    if (story.end() > freeSince) {
      idle.add(new IdleTime(freeSince, story.end(), List.copyOf(around)));
    }
    return idle;
  }

  private static void checkIdle(Story story, String resource, IdleTime idle, Findings findings) {
    long limit = story.settings().idleLimit().toNanos();
    if (story.calm().nanos(idle.from, idle.to) <= limit) {
      return;
    }
    idle.waits(story, resource)
        .filter(wait -> story.calm().nanos(wait.from, wait.to) > limit)
        .findFirst()
        .ifPresent(
            wait -> {
              List<Hold> shown = new ArrayList<>(idle.holdsAround);
              shown.remove(wait.waiter);
              shown.add(wait.waiter);
              findings.add(
                  shown,
                  "%s waited %.1f s for what nobody held",
                  wait.waiter.ask().actor(),
                  story.calm().nanos(wait.from, wait.to) / 1e9);
            });
  }

  private static void checkWaits(Story story, String resource, Findings findings) {
    for (Hold waiter : story.requests(resource)) {
      long calm = story.calm().nanos(waiter.ask().nanos(), story.waitEnd(waiter));
      if (calm > story.settings().waitLimit().toNanos()) {
        findings.add(List.of(waiter), "%s waited for %.1f s", waiter.ask().actor(), calm / 1e9);
      }
    }
  }

  /** Returns for how long, at most, what was free was waited for after the last fault was over. */
  static Duration recovery(Story story) {
    OptionalLong healed = story.lastHealed();
    if (healed.isEmpty()) {
      return Duration.ZERO;
    }
    long since = healed.getAsLong();
    return Duration.ofNanos(
        story.resources(HELD).stream()
            .flatMap(
                resource ->
                    idleTimes(story, resource).stream()
                        .filter(idle -> idle.to > since)
                        .flatMap(idle -> idle.waits(story, resource)))
            .mapToLong(wait -> Math.max(0, wait.to - Math.max(wait.from, since)))
            .max()
            .orElse(0));
  }
}
