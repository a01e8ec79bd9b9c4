package io.lockkeeper.lab.check;

import io.lockkeeper.lab.history.History;
import java.util.ArrayList;
import java.util.List;

/** Judges histories by all rules. */
public final class HistoryChecker {

  private static final List<Rule> RULES =
      List.of(
          new CapacityRule(),
          new TokenRule(),
          new RegisterRule(),
          new FairOrderRule(),
          new BypassRule(),
          new WakeUpRule(),
          new CellRule());

  private HistoryChecker() {}

  /** Judges one. */
  public static Verdict check(History history, CheckSettings settings) {
    Story story = new Story(history, settings);
    List<RuleResult> results = new ArrayList<>();
    for (Rule rule : RULES) {
      results.addAll(rule.check(story));
    }
    return new Verdict(results, story.granted(), WakeUpRule.recovery(story));
  }
}
