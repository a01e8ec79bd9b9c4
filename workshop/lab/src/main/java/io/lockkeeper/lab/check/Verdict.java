package io.lockkeeper.lab.check;

import io.lockkeeper.lab.check.RuleResult.Violation;
import io.lockkeeper.lab.history.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What all rules found.
 *
 * @param results one for each rule
 * @param granted how many requests were granted, by type
 * @param recovery for how long, at most, anything that was free was waited for after the last fault
 *     was over
 */
public record Verdict(
    List<RuleResult> results, Map<ResourceType, Long> granted, Duration recovery) {

  /** Creates one. */
  public Verdict {
    results = List.copyOf(results);
    granted = Collections.unmodifiableMap(new TreeMap<>(granted));
  }

  public static Verdict none() {
    return new Verdict(List.of(), Map.of(), Duration.ZERO);
  }

  public boolean isGood() {
    return violations().isEmpty();
  }

  /** Returns how many requests were granted. */
  public long acquisitions() {
    return granted.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns all that was wrong and is not promised where it happened. */
  public List<Violation> excused() {
    return results.stream().flatMap(result -> result.excused().stream()).toList();
  }

  public List<Violation> violations() {
    return results.stream().flatMap(result -> result.violations().stream()).toList();
  }

  public Verdict with(List<RuleResult> more) {
    List<RuleResult> all = new ArrayList<>(results);
    all.addAll(more);
    return new Verdict(all, granted, recovery);
  }

  /** Returns the sum of two verdicts on different histories. */
  public Verdict plus(Verdict other) {
    Map<String, RuleResult> sums = new LinkedHashMap<>();
    for (Verdict verdict : List.of(this, other)) {
      for (RuleResult result : verdict.results) {
        sums.merge(result.promise() + result.title(), result, RuleResult::plus);
      }
    }
    Map<ResourceType, Long> both = new TreeMap<>(granted);
    other.granted.forEach((type, count) -> both.merge(type, count, Long::sum));
    Duration longer = recovery.compareTo(other.recovery) < 0 ? other.recovery : recovery;
    return new Verdict(List.copyOf(sums.values()), both, longer);
  }
}
