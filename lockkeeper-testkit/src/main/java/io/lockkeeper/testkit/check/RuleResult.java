package io.lockkeeper.testkit.check;

import java.util.List;

/**
 * What a rule found.
 *
 * @param promise the id of the promise in {@code docs/SPEC.md}
 * @param title what was looked at
 * @param checked how many of them
 * @param violations what was wrong
 * @param undecided how many could not be decided, because there were too many possibilities
 */
public record RuleResult(
    String promise, String title, long checked, List<Violation> violations, long undecided) {

  /** Creates one. */
  public RuleResult {
    violations = List.copyOf(violations);
  }

  /** Creates one without anything undecided. */
  public RuleResult(String promise, String title, long checked, List<Violation> violations) {
    this(promise, title, checked, violations, 0);
  }
}
