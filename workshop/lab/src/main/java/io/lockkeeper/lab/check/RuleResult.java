package io.lockkeeper.lab.check;

import io.lockkeeper.lab.history.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a rule found.
 *
 * @param promise the id of the promise in {@code docs/SPEC.md}
 * @param title what was looked at
 * @param checked how many of them
 * @param violations what was wrong
 * @param excused what was wrong too, but is not promised where it happened
 * @param undecided how many could not be decided, because there were too many possibilities
 */
public record RuleResult(
    String promise,
    String title,
    long checked,
    List<Violation> violations,
    List<Violation> excused,
    long undecided) {

  /** Creates one. */
  public RuleResult {
    violations = List.copyOf(violations);
    excused = List.copyOf(excused);
  }

  /** Creates one without anything undecided. */
  public RuleResult(String promise, String title, long checked, List<Violation> violations) {
    this(promise, title, checked, violations, List.of(), 0);
  }

  /**
   * Returns this result for a promise that rests on a store that forgets nothing: what went wrong
   * after this time, when the store may have forgotten what it need not know, is excused.
   */
  RuleResult restingOnMemory(long mayForgetNanos) {
    List<Violation> broken = new ArrayList<>();
    List<Violation> notPromised = new ArrayList<>(excused);
    for (Violation violation : violations) {
      boolean isLater =
          violation.evidence().stream().anyMatch(event -> event.nanos() > mayForgetNanos);
      (isLater ? notPromised : broken).add(violation);
    }
    return new RuleResult(promise, title, checked, broken, notPromised, undecided);
  }

  /** Returns the sum of this result and that of the same rule on another history. */
  RuleResult plus(RuleResult other) {
    return new RuleResult(
        promise,
        title,
        checked + other.checked,
        Stream.concat(violations.stream(), other.violations.stream()).toList(),
        Stream.concat(excused.stream(), other.excused.stream()).toList(),
        undecided + other.undecided);
  }

  /**
   * A broken promise.
   *
   * @param promise its id in {@code docs/SPEC.md}
   * @param resource where
   * @param what what happened, in one sentence
   * @param evidence the events that show it, in order
   */
  public record Violation(String promise, String resource, String what, List<Event> evidence) {

    /** Creates one. */
    public Violation {
      evidence = List.copyOf(evidence);
    }

    public String text() {
      return promise + " on " + resource + ": " + what;
    }

    @Override
    public String toString() {
      return promise + " broken on " + resource + ": " + what;
    }
  }
}
