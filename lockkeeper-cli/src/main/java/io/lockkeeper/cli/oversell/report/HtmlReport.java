package io.lockkeeper.cli.oversell.report;

import io.lockkeeper.cli.oversell.contest.VariantResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The report to look at: one HTML file that needs nothing else. */
public final class HtmlReport {

  private static final String TEMPLATE = "oversell-report.html";

  private HtmlReport() {}

  /**
   * Makes sure that a report can be drawn on this machine.
   *
   * @throws io.lockkeeper.cli.console.CannotRunException if not
   */
  public static void check() {
    Plots.check();
  }

  /** Returns the document. */
  public static String write(ContestReport report) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("load", Html.escape(report.load()));
    values.put("verdict", verdict(report.results()));
    values.put("table", table(report.results()));
    values.put("notes", Html.list(ContestReport.NOTES));
    values.put("variants", variants(report.results()));
    values.put("plots", plots(report.results()));
    values.put("facts", facts(report));
    String page = template();
    for (Map.Entry<String, String> value : values.entrySet()) {
      page = page.replace("${" + value.getKey() + "}", value.getValue());
    }
    return page;
  }

  private static String verdict(List<VariantResult> rows) {
    List<String> failed =
        rows.stream()
            .filter(row -> !row.problems().isEmpty())
            .map(row -> row.strategy().name() + ": " + String.join(", ", row.problems()))
            .toList();
    return failed.isEmpty()
        ? "<p class=\"verdict good\">No locked variant lost or oversold an order.</p>"
        : "<div class=\"verdict bad\">Failed" + Html.list(failed) + "</div>";
  }

  private static String table(List<VariantResult> rows) {
    StringBuilder html = new StringBuilder("<thead>");
    html.append(Html.row("th", Column.ALL.stream().map(Column::title).toList()));
    html.append("</thead>\n<tbody>\n");
    for (VariantResult row : rows) {
      html.append(Html.row("td", Column.ALL.stream().map(column -> column.of(row)).toList()));
    }
    return html.append("</tbody>\n").toString();
  }

  private static String variants(List<VariantResult> rows) {
    return Html.list(
        rows.stream().map(row -> row.strategy().name() + ": " + row.strategy().summary()).toList());
  }

  private static String plots(List<VariantResult> rows) {
    Plots all = new Plots(rows);
    StringBuilder html = new StringBuilder();
    add(html, "Orders per second", all.bars("Orders per second", VariantResult::ordersPerSecond));
    add(html, "Oversold", all.bars("Oversold", row -> Math.max(0, row.oversold())));
    List<VariantResult> waiting = rows.stream().filter(VariantResult::isLocked).toList();
    if (!waiting.isEmpty()) {
      String bars = "Wait: median, 99th percentile and longest (logarithmic)";
      String curves = "Wait: distribution (logarithmic)";
      String commands = "Lock commands at the store per order";
      add(html, bars, all.waitBars(bars));
      add(html, curves, all.waitCurves(curves));
      add(html, commands, all.bars(commands, VariantResult::commandsPerOrder));
    }
    return html.toString();
  }

  private static void add(StringBuilder html, String title, String svg) {
    html.append("<figure>\n<figcaption>")
        .append(Html.escape(title))
        .append("</figcaption>\n")
        .append(svg)
        .append("</figure>\n");
  }

  private static String facts(ContestReport report) {
    List<String> facts = new ArrayList<>();
    facts.add("command: " + report.commandLine());
    facts.add("started: " + report.started());
    facts.add(
        "store: "
            + report.server()
            + (report.embedded() ? ", started for this run" : " at " + report.storeUrl()));
    facts.add("machine: " + report.machine().inALine());
    report.machine().versions().forEach((name, version) -> facts.add(name + ": " + version));
    facts.add("warm-up of each variant: " + report.plan().warmUp().toMillis() + " ms");
    facts.add("seed: " + report.plan().seed());
    return Html.list(facts);
  }

  private static String template() {
    try (InputStream in = HtmlReport.class.getResourceAsStream(TEMPLATE)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
