package io.lockkeeper.lab.check;

import io.lockkeeper.lab.history.History;
import java.util.List;
import java.util.function.Function;

/** Judges histories by all rules. */
public final class HistoryChecker {

  private static final List<Function<Story, List<RuleResult>>> RULES =
      List.of(
          CapacityRule::check,
          TokenRule::check,
          RegisterRule::check,
          FairOrderRule::check,
          BypassRule::check,
          WakeUpRule::check,
          CellRule::check);

  private HistoryChecker() {}

  public static Verdict check(History history, CheckSettings settings) {
    Story story = new Story(history, settings);
    List<RuleResult> results = RULES.stream().flatMap(rule -> rule.apply(story).stream()).toList();
    return new Verdict(results, story.granted(), WakeUpRule.recovery(story));
  }
}
