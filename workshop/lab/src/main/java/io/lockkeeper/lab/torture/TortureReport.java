package io.lockkeeper.lab.torture;

import io.lockkeeper.lab.check.Violation;
import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.history.History;
import io.lockkeeper.lab.report.Html;
import java.util.List;
import java.util.Map;

/** What was broken, to look at: one HTML file that needs nothing else. */
final class TortureReport {

  private static final int MOST = 10;
  private static final double MARGIN = 0.1;
  private static final long LEAST_MARGIN_NANOS = 20_000_000;

  private TortureReport() {}

  /** Returns the document. */
  static String write(Round.Outcome outcome, List<String> table, String replay) {
    return Html.page(
        TortureReport.class,
        "torture-report.html",
        Map.of(
            "table",
            String.join("\n", table),
            "replay",
            replay,
            "violations",
            outcome.verdict().violations().stream()
                .limit(MOST)
                .map(violation -> section(violation, outcome.history()))
                .toList()));
  }

  /** Returns a violation, its events, and what else happened to its resource at that time. */
  private static Map<String, Object> section(Violation violation, History history) {
    List<Event> evidence = violation.evidence();
    long first = evidence.stream().mapToLong(Event::nanos).min().orElse(0);
    long last = evidence.stream().mapToLong(Event::nanos).max().orElse(0);
    long margin = Math.max(LEAST_MARGIN_NANOS, (long) ((last - first) * MARGIN));
    long from = first - margin;
    long to = last + margin;
    List<Event> around =
        history.where(
            event ->
                List.of("", violation.resource()).contains(event.resource())
                    && event.nanos() >= from
                    && event.nanos() <= to);
    return Map.of(
        "title",
        violation.toString(),
        "toMillis",
        (to - from) / 1e6,
        "evidence",
        evidence.stream().map(event -> row(event, from)).toList(),
        "around",
        around.stream().map(event -> row(event, from)).toList());
  }

  private static Map<String, Object> row(Event event, long from) {
    double left = event.untilNanos() == 0 ? 0 : (event.untilNanos() - event.nanos()) / 1e6;
    return Map.of(
        "millis",
        (event.nanos() - from) / 1e6,
        "actor",
        event.actor(),
        "kind",
        event.kind(),
        "resource",
        event.resource(),
        "token",
        event.token(),
        "leftMillis",
        left,
        "value",
        event.value(),
        "note",
        event.note());
  }
}
