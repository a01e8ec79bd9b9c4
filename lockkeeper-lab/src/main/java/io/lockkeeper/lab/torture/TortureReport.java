package io.lockkeeper.lab.torture;

import io.lockkeeper.lab.check.Violation;
import io.lockkeeper.lab.history.Event;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** What was broken, to look at: one HTML file that needs nothing else. */
final class TortureReport {

  private static final String TEMPLATE = "torture-report.html";
  private static final int MOST = 10;

  private TortureReport() {}

  /** Returns the document. */
  static String write(Round.Outcome outcome, List<String> table, String replay) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("table", escape(String.join("\n", table)));
    values.put("replay", escape(replay));
    values.put(
        "violations",
        outcome.verdict().violations().stream()
            .limit(MOST)
            .map(violation -> section(violation, outcome))
            .collect(Collectors.joining()));
    String page = template();
    for (Map.Entry<String, String> value : values.entrySet()) {
      page = page.replace("${" + value.getKey() + "}", value.getValue());
    }
    return page;
  }

  private static String section(Violation violation, Round.Outcome outcome) {
    List<Event> evidence = violation.evidence();
    long origin = evidence.isEmpty() ? 0 : evidence.get(0).nanos();
    return "<h2>"
        + escape(violation.toString())
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
    return List.of(
            "%.3f".formatted((event.nanos() - origin) / 1e6),
            event.actor(),
            event.kind().toString(),
            event.token() == 0 ? "" : Long.toString(event.token()),
            left,
            Long.toString(event.value()),
            event.note())
        .stream()
        .map(text -> "<td>" + escape(text) + "</td>")
        .collect(Collectors.joining("", "<tr>", "</tr>\n"));
  }

  /** Returns the text so that it stands for itself in HTML. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  private static String template() {
    try (InputStream in =
        Objects.requireNonNull(TortureReport.class.getResourceAsStream(TEMPLATE))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
