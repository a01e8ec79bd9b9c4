package io.lockkeeper.lab.oversell.report;

import io.lockkeeper.lab.oversell.contest.VariantResult;
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
    values.put("verdict", verdict(report));
    values.put("table", table(report));
    values.put("notes", Html.list(report.notes()));
    values.put("remarks", report.remarks().isEmpty() ? "" : Html.list(report.remarks()));
    values.put("variants", variants(report.rows()));
    values.put("plots", plots(report));
    values.put("facts", facts(report));
    String page = template();
    for (Map.Entry<String, String> value : values.entrySet()) {
      page = page.replace("${" + value.getKey() + "}", value.getValue());
    }
    return page;
  }

  private static String verdict(ContestReport report) {
    List<String> failed = report.problems();
    return failed.isEmpty()
        ? "<p class=\"verdict good\">No locked variant lost or oversold an order.</p>"
        : "<div class=\"verdict bad\">Failed" + Html.list(failed) + "</div>";
  }

  private static String table(ContestReport report) {
    StringBuilder html = new StringBuilder("<thead>");
    html.append(Html.row("th", Column.ALL.stream().map(Column::title).toList()));
    html.append("</thead>\n<tbody>\n");
    for (StoreReport store : report.stores()) {
      if (report.isOfSeveral()) {
        html.append(Html.wideRow(Column.ALL.size(), title(store)));
      }
      for (VariantResult row : store.results()) {
        html.append(Html.row("td", Column.ALL.stream().map(column -> column.of(row)).toList()));
      }
    }
    return html.append("</tbody>\n").toString();
  }

  private static String title(StoreReport store) {
    return store.absence().isEmpty() ? store.server() : store.name() + " " + store.absence();
  }

  private static String variants(List<VariantResult> rows) {
    return Html.list(
        rows.stream()
            .map(row -> row.strategy().name() + ": " + row.strategy().summary())
            .distinct()
            .toList());
  }

  private static String plots(ContestReport report) {
    StringBuilder html = new StringBuilder();
    for (StoreReport store : report.stores()) {
      if (!store.results().isEmpty()) {
        addPlots(html, report.isOfSeveral() ? store.name() + ": " : "", store.results());
      }
    }
    return html.toString();
  }

  private static void addPlots(StringBuilder html, String where, List<VariantResult> rows) {
    Plots all = new Plots(rows);
    String rates = where + "Orders per second";
    String oversold = where + "Oversold";
    add(html, rates, all.bars(rates, VariantResult::ordersPerSecond));
    add(html, oversold, all.bars(oversold, row -> Math.max(0, row.oversold())));
    if (rows.stream().anyMatch(VariantResult::waitsInLine)) {
      String bars = where + "Wait: median, 99th percentile and longest (logarithmic)";
      String curves = where + "Wait: distribution (logarithmic)";
      add(html, bars, all.waitBars(bars));
      add(html, curves, all.waitCurves(curves));
    }
    if (rows.stream().anyMatch(VariantResult::isLocked)
        && rows.stream().allMatch(row -> row.commandsPerOrder().isPresent())) {
      String commands = where + "Lock commands at the store per order";
      add(html, commands, all.bars(commands, row -> row.commandsPerOrder().orElse(0)));
    }
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
    for (StoreReport store : report.stores()) {
      facts.add(
          "store: "
              + (store.absence().isEmpty() ? store.describe() : title(store))
              + (store.embedded() ? "" : " at " + store.url()));
    }
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
