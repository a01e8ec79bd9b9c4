package io.lockkeeper.lab.check;

import io.lockkeeper.lab.check.RuleResult.Violation;
import io.lockkeeper.lab.history.Event;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** What a rule has found so far of one promise. */
final class Findings {

  private static final int MOST_EVIDENCE = 80;

  private final String promise;
  private final String title;
  private final List<Violation> violations = new ArrayList<>();
  private long checked;

  /**
   * Creates them.
   *
   * @param promise the id of the promise in {@code docs/SPEC.md}
   * @param title what is looked at
   */
  Findings(String promise, String title) {
    this.promise = promise;
    this.title = title;
  }

  /** Counts what was looked at. */
  void checked(long more) {
    checked += more;
  }

  /** Adds a violation that these requests show; the text is as of {@link String#format}. */
  void add(Collection<Hold> holds, String what, Object... arguments) {
    List<Event> evidence =
        holds.stream()
            .flatMap(hold -> hold.events().stream())
            .sorted(Event.BY_TIME)
            .limit(MOST_EVIDENCE)
            .toList();
    addEvents(evidence, what, arguments);
  }

  /** Adds a violation that these events show, the last ones if there are many. */
  void addEvents(List<Event> evidence, String what, Object... arguments) {
    violations.add(
        new Violation(
            promise,
            evidence.get(0).resource(),
            String.format(Locale.ROOT, what, arguments),
            evidence.subList(Math.max(0, evidence.size() - MOST_EVIDENCE), evidence.size())));
  }

  RuleResult result() {
    return result(0);
  }

  RuleResult result(long undecided) {
    return new RuleResult(promise, title, checked, violations, List.of(), undecided);
  }
}
