package io.lockkeeper.lab.check;

import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.lab.history.ResourceType;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** A guarded register never goes back, and never refuses a holder. */
final class RegisterRule {

  static List<RuleResult> check(Story story) {
    Findings back = new Findings("T6", "register never goes back");
    Findings refused = new Findings("T6", "no valid holder is refused");
    for (String resource : story.resources(EnumSet.allOf(ResourceType.class))) {
      List<Event> accepted =
          story.requests(resource).stream()
              .flatMap(hold -> hold.events().stream())
              .filter(event -> event.kind() == EventKind.WROTE)
              .sorted(Comparator.comparingLong(Event::value))
              .toList();
      back.checked(accepted.size());
      refused.checked(accepted.size());
      checkOrder(accepted, back);
      checkLate(story.validHolds(resource), back);
      checkRefusals(story.holds(resource), refused);
    }
    return List.of(back.result(), refused.result().restingOnMemory(story.mayForgetSince()));
  }

  private static void checkOrder(List<Event> accepted, Findings back) {
    for (int i = 1; i < accepted.size(); i++) {
      Event before = accepted.get(i - 1);
      Event after = accepted.get(i);
      if (after.token() < before.token()) {
        back.addEvents(
            List.of(before, after),
            "a write with token %d was taken after one with token %d",
            after.token(),
            before.token());
      }
    }
  }

  /** Without tokens: of two holders the later one wrote, and then the earlier one did. */
  private static void checkLate(List<Hold> holds, Findings back) {
    NavigableMap<Long, Hold> byWrite = new TreeMap<>();
    for (Hold hold : holds) {
      hold.events().stream()
          .filter(event -> event.kind() == EventKind.WROTE && event.token() == 0)
          .forEach(event -> byWrite.put(event.value(), hold));
    }
    Hold latest = null;
    for (Hold hold : byWrite.values()) {
      if (latest != null && hold.start() < latest.start()) {
        back.add(
            List.of(hold, latest),
            "%s wrote after %s, which had held it later",
            hold.ask().actor(),
            latest.ask().actor());
      } else {
        latest = hold;
      }
    }
  }

  private static void checkRefusals(List<Hold> holds, Findings refused) {
    for (Hold hold : holds) {
      for (Event event : hold.events()) {
        if (event.kind() == EventKind.WRITE_REFUSED) {
          refused.checked(1);
          if (hold.validEnd() > event.nanos()) {
            refused.add(
                holds.stream().filter(it -> it == hold || it.token() == event.value()).toList(),
                "%s held token %d, but a write with token %d had been taken",
                event.actor(),
                event.token(),
                event.value());
          }
        }
      }
    }
  }
}
