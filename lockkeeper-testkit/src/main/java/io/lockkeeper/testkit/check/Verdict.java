package io.lockkeeper.testkit.check;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What all rules found.
 *
 * @param results one for each rule
 * @param acquisitions how many requests were granted
 */
public record Verdict(List<RuleResult> results, long acquisitions) {

  /** Creates one. */
  public Verdict {
    results = List.copyOf(results);
  }

  /** Returns a verdict on nothing. */
  public static Verdict none() {
    return new Verdict(List.of(), 0);
  }

  /** Returns whether no promise was broken. */
  public boolean isGood() {
    return violations().isEmpty();
  }

  /** Returns all that was wrong. */
  public List<Violation> violations() {
    return results.stream().flatMap(result -> result.violations().stream()).toList();
  }

  /** Returns the sum of two verdicts on different histories. */
  public Verdict plus(Verdict other) {
    Map<String, RuleResult> sums = new LinkedHashMap<>();
    for (Verdict verdict : List.of(this, other)) {
      for (RuleResult result : verdict.results) {
        sums.merge(result.promise() + result.title(), result, Verdict::sum);
      }
    }
    return new Verdict(List.copyOf(sums.values()), acquisitions + other.acquisitions);
  }

  private static RuleResult sum(RuleResult a, RuleResult b) {
    List<Violation> violations = new ArrayList<>(a.violations());
    violations.addAll(b.violations());
    return new RuleResult(
        a.promise(),
        a.title(),
        a.checked() + b.checked(),
        violations,
        a.undecided() + b.undecided());
  }
}
