package io.lockkeeper.lab.torture;

import io.lockkeeper.lab.check.Violation;
import io.lockkeeper.lab.history.Event;
import io.lockkeeper.lab.report.Html;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What was broken, to look at: one HTML file that needs nothing else. */
final class TortureReport {

  private static final String TEMPLATE = "torture-report.html";
  private static final int MOST = 10;

  private TortureReport() {}

  /** Returns the document. */
  static String write(Round.Outcome outcome, List<String> table, String replay) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("table", Html.escape(String.join("\n", table)));
    values.put("replay", Html.escape(replay));
    values.put(
        "violations",
        outcome.verdict().violations().stream()
            .limit(MOST)
            .map(violation -> section(violation, outcome))
            .collect(Collectors.joining()));
    return Html.page(TortureReport.class, TEMPLATE, values);
  }

  private static String section(Violation violation, Round.Outcome outcome) {
    List<Event> evidence = violation.evidence();
    long origin = evidence.isEmpty() ? 0 : evidence.get(0).nanos();
    return "<h2>"
        + Html.escape(violation.toString())
        + "</h2>\n"
        + new Timeline(violation, outcome.history()).svg()
        + "<div class=\"scroll\"><table><thead><tr><th>ms</th><th>who</th><th>what</th><th>token</th><th>valid"
        + " for, ms</th><th>value</th><th></th></tr></thead>\n"
        + evidence.stream().map(event -> row(event, origin)).collect(Collectors.joining())
        + "</table></div>\n";
  }

  private static String row(Event event, long origin) {
    String left =
        event.untilNanos() == 0 ? "" : "%.3f".formatted((event.untilNanos() - event.nanos()) / 1e6);
    return Html.row(
        "td",
        List.of(
            "%.3f".formatted((event.nanos() - origin) / 1e6),
            event.actor(),
            event.kind().toString(),
            event.token() == 0 ? "" : Long.toString(event.token()),
            left,
            Long.toString(event.value()),
            event.note()));
  }
}
