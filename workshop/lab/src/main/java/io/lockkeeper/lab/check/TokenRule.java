package io.lockkeeper.lab.check;

import io.lockkeeper.lab.history.ResourceType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tokens grow in the order of grants, and none is given twice.
 *
 * <p>Of two grants the earlier one is known if its holder had it before the other asked; or, if
 * they exclude each other, before the other had it.
 */
final class TokenRule implements Rule {

  @Override
  public List<RuleResult> check(Story story) {
    long locks = 0;
    long pools = 0;
    List<Violation> twice = new ArrayList<>();
    List<Violation> ofLocks = new ArrayList<>();
    List<Violation> ofPools = new ArrayList<>();
    for (String resource : story.resources(EnumSet.allOf(ResourceType.class))) {
      boolean isLock = isLock(resource);
      List<Hold> holds =
          story.holds(resource).stream().filter(Hold::hasToken).filter(Hold::wasValid).toList();
      List<Violation> violations = isLock ? ofLocks : ofPools;
      String promise = isLock ? "T1" : "RW8";
      checkUnique(promise, resource, holds, twice);
      checkGrowth(promise, resource, holds, violations);
      locks += isLock ? holds.size() : 0;
      pools += isLock ? 0 : holds.size();
    }
    return List.of(
        new RuleResult("T1", "no token is given twice", locks + pools, twice),
        // Who holds what the store has forgotten passes it on with tokens of its own.
        new RuleResult("T1", "tokens grow", locks, ofLocks).restingOnMemory(story.mayForgetSince()),
        new RuleResult("RW8", "tokens of shared grants grow", pools, ofPools)
            .restingOnMemory(story.mayForgetSince()));
  }

  private static boolean isLock(String resource) {
    ResourceType type = ResourceType.of(resource);
    return type == ResourceType.LOCK || type == ResourceType.FAIR;
  }

  private static boolean isAlone(String resource, Hold hold) {
    return isLock(resource) || (ResourceType.of(resource) == ResourceType.RW && hold.isWriter());
  }

  private static void checkUnique(
      String promise, String resource, List<Hold> holds, List<Violation> violations) {
    Map<Long, Hold> seen = new HashMap<>();
    for (Hold hold : holds) {
      Hold other = seen.put(hold.token(), hold);
      if (other != null) {
        violations.add(
            new Violation(
                promise,
                resource,
                "token " + hold.token() + " was given twice",
                Story.evidence(other, hold)));
      }
    }
  }

  private static void checkGrowth(
      String promise, String resource, List<Hold> holds, List<Violation> violations) {
    List<Hold> byAsk = new ArrayList<>(holds);
    byAsk.sort(Comparator.comparingLong(hold -> hold.ask().nanos()));
    Largest beforeAsk = new Largest(holds, hold -> true);
    for (Hold hold : byAsk) {
      compare(promise, resource, beforeAsk.before(hold.ask().nanos()), hold, violations);
    }
    Largest all = new Largest(holds, hold -> true);
    Largest writers = new Largest(holds, hold -> isAlone(resource, hold));
    for (Hold hold : holds) {
      if (isAlone(resource, hold)) {
        compare(promise, resource, all.before(hold.start()), hold, violations);
      } else {
        compare(promise, resource, writers.before(hold.start()), hold, violations);
      }
    }
  }

  private static void compare(
      String promise,
      String resource,
      @Nullable Hold earlier,
      Hold later,
      List<Violation> violations) {
    if (earlier != null && earlier != later && earlier.token() > later.token()) {
      violations.add(
          new Violation(
              promise,
              resource,
              "token %d of %s after token %d of %s"
                  .formatted(
                      later.token(), later.ask().actor(), earlier.token(), earlier.ask().actor()),
              Story.evidence(earlier, later)));
    }
  }

  /** The hold with the largest token so far, asked for in the order of time. */
  private static final class Largest {

    private final List<Hold> holds;
    private int next;
    private @Nullable Hold largest;

    Largest(List<Hold> holds, java.util.function.Predicate<Hold> filter) {
      this.holds = holds.stream().filter(filter).toList();
    }

    @Nullable Hold before(long nanos) {
      while (next < holds.size() && holds.get(next).start() < nanos) {
        Hold hold = holds.get(next++);
        largest = largest == null || largest.token() < hold.token() ? hold : largest;
      }
      return largest;
    }
  }
}
