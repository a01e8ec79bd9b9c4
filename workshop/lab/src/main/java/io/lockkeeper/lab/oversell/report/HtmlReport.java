package io.lockkeeper.lab.oversell.report;

import io.lockkeeper.lab.oversell.contest.VariantResult;
import io.lockkeeper.lab.report.Html;
import io.lockkeeper.lab.report.Machine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The report to look at: one HTML file that needs nothing else. */
public final class HtmlReport {

  private static final String TEMPLATE = "oversell-report.html";

  private HtmlReport() {}

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
    return Html.page(HtmlReport.class, TEMPLATE, values);
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
    html.append(all.bars(where + "orders per second", VariantResult::ordersPerSecond));
    html.append(all.bars(where + "oversold", row -> Math.max(0, row.oversold())));
    if (rows.stream().anyMatch(VariantResult::waitsInLine)) {
      html.append(all.waits(where + "wait"));
    }
    if (rows.stream().anyMatch(VariantResult::isLocked)
        && rows.stream().allMatch(row -> row.commandsPerOrder().isPresent())) {
      html.append(
          all.bars(
              where + "lock commands at the store per order",
              row -> row.commandsPerOrder().orElse(0)));
    }
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
    facts.add("java: " + Machine.jdk());
    report.machine().versions().forEach((name, version) -> facts.add(name + ": " + version));
    facts.add("warm-up of each variant: " + report.plan().warmUp().toMillis() + " ms");
    facts.add("seed: " + report.plan().seed());
    return Html.list(facts);
  }
}
