package io.lockkeeper.lab.torture;

import io.lockkeeper.lab.check.Violation;
import io.lockkeeper.lab.history.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What was broken, to look at: the events that show it, and the faults and others around them. */
final class TortureReport {

  private static final int MOST = 10;
  private static final double MARGIN = 0.1;
  private static final long LEAST_MARGIN_NANOS = 20_000_000;

  private TortureReport() {}

  /** Returns the document, a line for each event; a star marks those that show a violation. */
  static String write(Round.Outcome outcome, List<String> table, String replay) {
    List<String> lines = new ArrayList<>(table);
    lines.add("");
    lines.add("The same faults again: " + replay);
    outcome.verdict().violations().stream()
        .limit(MOST)
        .forEach(violation -> add(lines, violation, outcome));
    return String.join("\n", lines) + "\n";
  }

  private static void add(List<String> lines, Violation violation, Round.Outcome outcome) {
    List<Event> evidence = violation.evidence();
    long first = evidence.stream().mapToLong(Event::nanos).min().orElse(0);
    long last = evidence.stream().mapToLong(Event::nanos).max().orElse(0);
    long margin = Math.max(LEAST_MARGIN_NANOS, (long) ((last - first) * MARGIN));
    lines.addAll(List.of("", violation.toString(), ""));
    Stream.concat(
            evidence.stream(),
            outcome
                .history()
                .where(it -> List.of("", violation.resource()).contains(it.resource()))
                .stream()
                .filter(it -> it.nanos() >= first - margin && it.nanos() <= last + margin))
        .distinct()
        .sorted(Event.BY_TIME)
        .forEach(it -> lines.add(line(it, first, evidence.contains(it))));
  }

  private static String line(Event event, long first, boolean isEvidence) {
    double left = event.untilNanos() == 0 ? 0 : (event.untilNanos() - event.nanos()) / 1e6;
    return String.format(
        Locale.ROOT,
        "%s %12.3f ms  %-12s %-13s token %d, valid for %.3f ms, value %d %s",
        isEvidence ? "*" : " ",
        (event.nanos() - first) / 1e6,
        event.actor(),
        event.kind(),
        event.token(),
        left,
        event.value(),
        event.note());
  }
}
