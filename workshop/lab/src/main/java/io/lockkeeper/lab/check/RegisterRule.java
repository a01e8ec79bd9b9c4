package io.lockkeeper.lab.check;

import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.lab.history.ResourceType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A guarded register never goes back, and never refuses a holder. */
final class RegisterRule implements Rule {

  @Override
  public List<RuleResult> check(Story story) {
    List<Violation> back = new ArrayList<>();
    List<Violation> refused = new ArrayList<>();
    long writes = 0;
    long refusals = 0;
    for (String resource : story.resources(EnumSet.allOf(ResourceType.class))) {
      List<Event> accepted =
          story.requests(resource).stream()
              .flatMap(hold -> hold.events().stream())
              .filter(event -> event.kind() == EventKind.WROTE)
              .sorted(Comparator.comparingLong(Event::value))
              .toList();
      writes += accepted.size();
      checkOrder(resource, accepted, back);
      checkLate(resource, story.holds(resource), back);
      refusals += checkRefusals(resource, story.holds(resource), refused);
    }
    return List.of(
        new RuleResult("T6", "register never goes back", writes, back),
        new RuleResult("T6", "no valid holder is refused", writes + refusals, refused)
            .restingOnMemory(story.mayForgetSince()));
  }

  private static void checkOrder(String resource, List<Event> accepted, List<Violation> back) {
    for (int i = 1; i < accepted.size(); i++) {
      Event before = accepted.get(i - 1);
      Event after = accepted.get(i);
      if (after.token() < before.token()) {
        back.add(
            new Violation(
                "T6",
                resource,
                "a write with token %d was taken after one with token %d"
                    .formatted(after.token(), before.token()),
                List.of(before, after)));
      }
    }
  }

  /** Without tokens: of two holders the later one wrote, and then the earlier one did. */
  private static void checkLate(String resource, List<Hold> holds, List<Violation> back) {
    NavigableMap<Long, Hold> byWrite = new TreeMap<>();
    for (Hold hold : holds) {
      hold.events().stream()
          .filter(event -> event.kind() == EventKind.WROTE && event.token() == 0)
          .filter(event -> hold.wasValid())
          .forEach(event -> byWrite.put(event.value(), hold));
    }
    Hold latest = null;
    for (Hold hold : byWrite.values()) {
      if (latest != null && hold.start() < latest.start()) {
        back.add(
            new Violation(
                "T6",
                resource,
                "%s wrote after %s, which had held it later"
                    .formatted(hold.ask().actor(), latest.ask().actor()),
                Story.evidence(hold, latest)));
      } else {
        latest = hold;
      }
    }
  }

  private static long checkRefusals(String resource, List<Hold> holds, List<Violation> refused) {
    Map<Long, Hold> byToken =
        holds.stream().collect(Collectors.toMap(Hold::token, Function.identity(), (a, b) -> a));
    long count = 0;
    for (Hold hold : holds) {
      for (Event event : hold.events()) {
        if (event.kind() != EventKind.WRITE_REFUSED) {
          continue;
        }
        count++;
        if (hold.validEnd() > event.nanos()) {
          Hold winner = byToken.getOrDefault(event.value(), hold);
          refused.add(
              new Violation(
                  "T6",
                  resource,
                  "%s held token %d, but a write with token %d had been taken"
                      .formatted(event.actor(), event.token(), event.value()),
                  Story.evidence(hold, winner)));
        }
      }
    }
    return count;
  }
}
