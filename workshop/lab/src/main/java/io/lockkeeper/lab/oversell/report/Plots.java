package io.lockkeeper.lab.oversell.report;

import io.lockkeeper.lab.oversell.contest.VariantResult;
import io.lockkeeper.lab.report.BarChart;
import io.lockkeeper.lab.report.LineChart;
import io.lockkeeper.lab.report.Numbers;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The plots of a report. Each variant has one colour in all of them. */
final class Plots {

  private static final Map<String, String> COLORS =
      Map.of(
          "none", "#c2503f",
          "setnx", "#c98a1b",
          "lock", "#2f6fb5",
          "fairLock", "#2a8a77",
          "jvm", "#7b6fb0",
          "watch", "#8f9a3a",
          "update", "#a8577e",
          "forUpdate", "#5b8c4a",
          "version", "#8c6a4f",
          "setData", "#6f7f8f");

  private static final List<Double> SHARES = List.of(10.0, 50.0, 90.0, 99.0, 99.9, 100.0);

  private final List<VariantResult> rows;

  Plots(List<VariantResult> rows) {
    this.rows = List.copyOf(rows);
  }

  /** Returns bars of one value per variant. */
  String bars(String title, ToDoubleFunction<VariantResult> value) {
    BarChart chart = new BarChart(title);
    for (VariantResult row : rows) {
      double number = value.applyAsDouble(row);
      chart.add(row.strategy().name(), color(row), number, Numbers.threeDigits(number));
    }
    return inPage(chart.draw());
  }

  /** Returns for some shares of the orders the wait that they did not exceed. */
  String waits(String title) {
    List<String> places = SHARES.stream().map(share -> Numbers.threeDigits(share) + " %").toList();
    LineChart chart = new LineChart(title, "share of orders that waited no longer", places);
    rows.stream().filter(VariantResult::waitsInLine).forEach(row -> addLine(chart, row));
    return inPage(chart.draw(Numbers::time));
  }

  /** Within a page a drawing needs no address of its format, and the page has none at all. */
  private static String inPage(String svg) {
    return svg.replaceFirst(" xmlns=\"[^\"]*\"", "");
  }

  private static void addLine(LineChart chart, VariantResult row) {
    Stream<Double> micros = SHARES.stream().map(share -> row.waitNanos(share) / 1e3);
    chart.add(row.strategy().name(), color(row), micros.toList());
  }

  private static String color(VariantResult row) {
    return COLORS.getOrDefault(row.strategy().name(), "#000000");
  }
}
