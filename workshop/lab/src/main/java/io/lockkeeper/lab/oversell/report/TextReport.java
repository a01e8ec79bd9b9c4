package io.lockkeeper.lab.oversell.report;

import io.lockkeeper.lab.oversell.contest.VariantResult;
import io.lockkeeper.lab.oversell.strategy.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The report for a terminal: the table, what its columns mean, and the verdict. */
public final class TextReport {

  private static final String GAP = "  ";

  private TextReport() {}

  /** Returns what can be said before the contest begins. */
  public static String header(ContestReport report) {
    return Stream.concat(
            report.stores().stream().map(StoreReport::describe), Stream.of(report.load()))
        .reduce((first, second) -> first + "; " + second)
        .orElseThrow();
  }

  /** Returns the lines. */
  public static List<String> lines(ContestReport report) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.addAll(table(report));
    lines.add("");
    lines.addAll(report.notes());
    report.rows().stream()
        .filter(row -> row.strategy().scope() == Strategy.Scope.ONE_PROCESS)
        .map(
            row ->
                row.strategy().name()
                    + ": one JVM only, with all "
                    + row.threads()
                    + " threads in it.")
        .distinct()
        .forEach(lines::add);
    lines.add("");
    List<String> remarks = report.remarks();
    lines.addAll(remarks);
    if (!remarks.isEmpty()) {
      lines.add("");
    }
    lines.addAll(verdict(report));
    return lines;
  }

  /** Returns the table: names to the left, numbers to the right. */
  static List<String> table(ContestReport report) {
    int names = report.isOfSeveral() ? 2 : 1;
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        Stream.concat(Stream.of("store"), Column.ALL.stream().map(Column::title))
            .skip(2 - names)
            .toList());
    for (StoreReport store : report.stores()) {
      for (VariantResult result : store.results()) {
        rows.add(
            Stream.concat(
                    Stream.of(store.name()), Column.ALL.stream().map(column -> column.of(result)))
                .skip(2 - names)
                .toList());
      }
      if (!store.absence().isEmpty()) {
        rows.add(List.of(store.name(), store.absence()));
      }
    }
    return align(rows, names);
  }

  /** Aligns; a row that is shorter than the first says something that is no figure. */
  private static List<String> align(List<List<String>> rows, int names) {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns && (row.size() == columns || i == 0); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        String text = row.get(i);
        String pad = " ".repeat(Math.max(0, widths[i] - text.length()));
        line.append(i == 0 ? "" : GAP).append(i < names ? text + pad : pad + text);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private static List<String> verdict(ContestReport report) {
    List<String> lines = new ArrayList<>();
    report.problems().forEach(problem -> lines.add("FAILED " + problem));
    List<String> absent =
        report.stores().stream()
            .filter(store -> !store.absence().isEmpty())
            .map(StoreReport::name)
            .toList();
    if (!absent.isEmpty()) {
      lines.add(
          "Without results, or not all: " + String.join(", ", absent) + "; the table says why.");
    }
    boolean anyLocked = report.rows().stream().anyMatch(VariantResult::isLocked);
    if (report.problems().isEmpty() && anyLocked) {
      lines.add("No locked variant lost or oversold an order.");
    }
    return lines;
  }
}
