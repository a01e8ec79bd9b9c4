package io.lockkeeper.lab.check;

import io.lockkeeper.lab.check.Linearizer.CellModel;
import io.lockkeeper.lab.check.Linearizer.Operation;
import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.EventKind;
import io.lockkeeper.lab.history.History;
import io.lockkeeper.lab.history.ResourceType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counters and latches are linearizable. Each is checked apart. */
final class CellRule {

  private static final long SHOWN_BEFORE_NANOS = 200_000_000;

  static List<RuleResult> check(Story story) {
    return List.of(
        check(story, ResourceType.COUNTER, CellModel.COUNTER, "CO1", "counters linearizable"),
        check(story, ResourceType.LATCH, CellModel.LATCH, "LA2", "latches linearizable"));
  }

  private static RuleResult check(
      Story story, ResourceType type, CellModel model, String promise, String title) {
    Findings findings = new Findings(promise, title);
    long undecided = 0;
    for (List<Operation> cell : operations(story.history(), type).values()) {
      findings.checked(cell.size());
      Linearizer.Result result = new Linearizer(model, cell).run();
      Operation culprit = result.culprit();
      if (culprit != null) {
        add(findings, story.history(), culprit);
      }
      undecided += result.answer() == Linearizer.Answer.UNDECIDED ? 1 : 0;
    }
    return findings.result(undecided).restingOnMemory(story.mayForgetValuesSince());
  }

  private static void add(Findings findings, History history, Operation culprit) {
    Event end = culprit.end();
    findings.addEvents(
        history.where(
            event ->
                event.resource().equals(end.resource())
                    && event.nanos() >= culprit.call().nanos() - SHOWN_BEFORE_NANOS
                    && event.nanos() <= end.nanos()),
        "no order of the operations explains that %s of %d by %s returned %d",
        culprit.name(),
        culprit.argument(),
        end.actor(),
        end.value());
  }

  private static Map<String, List<Operation>> operations(History history, ResourceType type) {
    Map<String, Event> open = new HashMap<>();
    Map<String, List<Operation>> cells = new HashMap<>();
    for (Event event : history.events()) {
      if (event.resource().isEmpty() || ResourceType.of(event.resource()) != type) {
        continue;
      }
      switch (event.kind()) {
        case CALL -> open.put(event.request(), event);
        case REFUSED -> open.remove(event.request());
        case RETURN -> {
          Event call = open.remove(event.request());
          if (call != null) {
            add(cells, new Operation(call, event, true));
          }
        }
        default -> {
          // of unknown outcome: stays open
        }
      }
    }
    open.values().stream()
        .filter(CellRule::changesSomething)
        .sorted(Event.BY_TIME)
        .forEach(call -> add(cells, new Operation(call, call, false)));
    addWipes(history, cells);
    cells.values().forEach(list -> list.sort(Comparator.comparingLong(it -> it.call().nanos())));
    return cells;
  }

  private static boolean changesSomething(Event call) {
    return !call.note().equals("get") && !call.note().equals("await");
  }

  private static void addWipes(History history, Map<String, List<Operation>> cells) {
    for (Event lost : history.where(event -> event.kind() == EventKind.MEMORY_LOST)) {
      Event wipe = lost.with(0, CellModel.WIPE);
      cells.values().forEach(list -> list.add(new Operation(wipe, wipe, false)));
    }
  }

  private static void add(Map<String, List<Operation>> cells, Operation operation) {
    cells.computeIfAbsent(operation.call().resource(), id -> new ArrayList<>()).add(operation);
  }
}
