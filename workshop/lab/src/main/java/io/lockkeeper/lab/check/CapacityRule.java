package io.lockkeeper.lab.check;

import io.lockkeeper.lab.history.ResourceType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/** Exclusion, readers and writers apart, permits within the limit: one sweep over valid leases. */
final class CapacityRule implements Rule {

  @Override
  public List<RuleResult> check(Story story) {
    return List.of(
        check(story, "X1", "no two valid leases", EnumSet.of(ResourceType.LOCK, ResourceType.FAIR)),
        check(story, "RW1", "one writer or readers", EnumSet.of(ResourceType.RW)),
        check(story, "S1", "permits within limit", EnumSet.of(ResourceType.SEMAPHORE)));
  }

  private static RuleResult check(
      Story story, String promise, String title, Set<ResourceType> types) {
    long checked = 0;
    List<Violation> violations = new ArrayList<>();
    for (String resource : story.resources(types)) {
      List<Hold> holds = story.holds(resource).stream().filter(Hold::wasValid).toList();
      checked += holds.size();
      sweep(story, promise, resource, holds, violations);
    }
    return new RuleResult(promise, title, checked, violations)
        .restingOnMemory(story.mayForgetSince());
  }

  private static void sweep(
      Story story, String promise, String resource, List<Hold> holds, List<Violation> violations) {
    PriorityQueue<Hold> valid = new PriorityQueue<>(Comparator.comparingLong(Hold::validEnd));
    for (Hold hold : holds) {
      while (!valid.isEmpty() && valid.element().validEnd() <= hold.start()) {
        valid.remove();
      }
      if (isTooMuch(story, resource, valid, hold)) {
        violations.add(violation(promise, resource, valid, hold));
      }
      valid.add(hold);
    }
  }

  private static boolean isTooMuch(
      Story story, String resource, PriorityQueue<Hold> valid, Hold next) {
    if (ResourceType.of(resource) == ResourceType.RW) {
      return next.isWriter() ? !valid.isEmpty() : valid.stream().anyMatch(Hold::isWriter);
    }
    long out = valid.stream().mapToLong(Hold::permits).sum();
    return out + next.permits() > story.limit(resource, next.ask().nanos(), next.start());
  }

  private static Violation violation(
      String promise, String resource, PriorityQueue<Hold> valid, Hold next) {
    List<Hold> together = new ArrayList<>(valid);
    together.add(next);
    long overlap =
        valid.stream().mapToLong(hold -> Math.min(hold.validEnd(), next.validEnd())).max().orElse(0)
            - next.start();
    return new Violation(
        promise,
        resource,
        "%s got it while %d other leases were valid, for %.3f ms"
            .formatted(next.ask().actor(), valid.size(), overlap / 1e6),
        Story.evidence(together));
  }
}
