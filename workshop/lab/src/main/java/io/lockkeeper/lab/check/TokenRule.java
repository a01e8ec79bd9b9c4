package io.lockkeeper.lab.check;

import io.lockkeeper.lab.history.ResourceType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tokens grow in the order of grants, and none is given twice.
 *
 * <p>Of two grants the earlier one is known if its holder had it before the other asked; or, if
 * they exclude each other, before the other had it.
 */
final class TokenRule {

  private static final Set<ResourceType> LOCKS = EnumSet.of(ResourceType.LOCK, ResourceType.FAIR);

  static List<RuleResult> check(Story story) {
    return Stream.concat(
            check(story, "T1", "", LOCKS),
            check(story, "RW8", " of shared grants", EnumSet.complementOf(EnumSet.copyOf(LOCKS))))
        .toList();
  }

  private static Stream<RuleResult> check(
      Story story, String promise, String what, Set<ResourceType> types) {
    Findings unique = new Findings(promise, "no token" + what + " is given twice");
    Findings growth = new Findings(promise, "tokens" + what + " grow");
    for (String resource : story.resources(types)) {
      List<Hold> holds = story.validHolds(resource).stream().filter(Hold::hasToken).toList();
      unique.checked(holds.size());
      growth.checked(holds.size());
      checkUnique(holds, unique);
      checkGrowth(holds, growth);
    }
    // A holder of what the store has forgotten passes it on with tokens of its own.
    return Stream.of(unique.result(), growth.result().restingOnMemory(story.mayForgetSince()));
  }

  private static void checkUnique(List<Hold> holds, Findings findings) {
    Map<Long, Hold> seen = new HashMap<>();
    for (Hold hold : holds) {
      Hold other = seen.put(hold.token(), hold);
      if (other != null) {
        findings.add(List.of(other, hold), "token %d was given twice", hold.token());
      }
    }
  }

  private static boolean isAlone(Hold hold) {
    ResourceType type = ResourceType.of(hold.resource());
    return LOCKS.contains(type) || (type == ResourceType.RW && hold.isWriter());
  }

  private static void checkGrowth(List<Hold> holds, Findings findings) {
    List<Hold> byAsk = new ArrayList<>(holds);
    byAsk.sort(Comparator.comparingLong(hold -> hold.ask().nanos()));
    Largest beforeAsk = new Largest(holds, hold -> true);
    for (Hold hold : byAsk) {
      compare(beforeAsk.before(hold.ask().nanos()), hold, findings);
    }
    Largest all = new Largest(holds, hold -> true);
    Largest writers = new Largest(holds, TokenRule::isAlone);
    for (Hold hold : holds) {
      compare((isAlone(hold) ? all : writers).before(hold.start()), hold, findings);
    }
  }

  private static void compare(@Nullable Hold earlier, Hold later, Findings findings) {
    if (earlier != null && earlier != later && earlier.token() > later.token()) {
      findings.add(
          List.of(earlier, later),
          "token %d of %s after token %d of %s",
          later.token(),
          later.ask().actor(),
          earlier.token(),
          earlier.ask().actor());
    }
  }

  /** The hold with the largest token so far, asked for in the order of time. */
  private static final class Largest {

    private final List<Hold> holds;
    private int next;
    private @Nullable Hold largest;

    Largest(List<Hold> holds, Predicate<Hold> filter) {
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
