package io.lockkeeper.lab.check;

import io.lockkeeper.lab.history.ResourceType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/** Exclusion, readers and writers apart, permits within the limit: one sweep over valid leases. */
final class CapacityRule {

  static List<RuleResult> check(Story story) {
    return List.of(
        check(story, "X1", "no two valid leases", EnumSet.of(ResourceType.LOCK, ResourceType.FAIR)),
        check(story, "RW1", "one writer or readers", EnumSet.of(ResourceType.RW)),
        check(story, "S1", "permits within limit", EnumSet.of(ResourceType.SEMAPHORE)));
  }

  private static RuleResult check(
      Story story, String promise, String title, Set<ResourceType> types) {
    Findings findings = new Findings(promise, title);
    for (String resource : story.resources(types)) {
      PriorityQueue<Hold> valid = new PriorityQueue<>(Comparator.comparingLong(Hold::validEnd));
      for (Hold hold : story.validHolds(resource)) {
        findings.checked(1);
        while (!valid.isEmpty() && valid.element().validEnd() <= hold.start()) {
          valid.remove();
        }
        if (isTooMuch(story, valid, hold)) {
          add(findings, valid, hold);
        }
        valid.add(hold);
      }
    }
    return findings.result().restingOnMemory(story.mayForgetSince());
  }

  private static boolean isTooMuch(Story story, PriorityQueue<Hold> valid, Hold next) {
    if (ResourceType.of(next.resource()) == ResourceType.RW) {
      return next.isWriter() ? !valid.isEmpty() : valid.stream().anyMatch(Hold::isWriter);
    }
    long out = valid.stream().mapToLong(Hold::permits).sum();
    return out + next.permits() > story.limit(next.resource(), next.ask().nanos(), next.start());
  }

  private static void add(Findings findings, PriorityQueue<Hold> valid, Hold next) {
    List<Hold> together = new ArrayList<>(valid);
    together.add(next);
    long end =
        valid.stream()
            .mapToLong(hold -> Math.min(hold.validEnd(), next.validEnd()))
            .max()
            .orElse(next.start());
    findings.add(
        together,
        "%s got it while %d other leases were valid, for %.3f ms",
        next.ask().actor(),
        valid.size(),
        (end - next.start()) / 1e6);
  }
}
