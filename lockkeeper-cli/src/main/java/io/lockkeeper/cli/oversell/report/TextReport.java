package io.lockkeeper.cli.oversell.report;

import io.lockkeeper.cli.oversell.contest.VariantResult;
import io.lockkeeper.cli.oversell.strategy.Strategy;
import java.util.ArrayList;
import java.util.List;

/** The report for a terminal: the table, what its columns mean, and the verdict. */
public final class TextReport {

  private static final String GAP = "  ";

  private TextReport() {}

  /** Returns what can be said before the contest begins. */
  public static String header(ContestReport report) {
    return report.server()
        + (report.embedded() ? ", started for this run" : "")
        + "; "
        + report.load();
  }

  /** Returns the lines. */
  public static List<String> lines(ContestReport report) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.addAll(table(report.results()));
    lines.add("");
    lines.addAll(ContestReport.NOTES);
    report.results().stream()
        .filter(row -> row.strategy().scope() == Strategy.Scope.ONE_PROCESS)
        .forEach(
            row ->
                lines.add(
                    row.strategy().name()
                        + ": one JVM only, with all "
                        + row.threads()
                        + " threads in it."));
    lines.add("");
    lines.addAll(verdict(report.results()));
    return lines;
  }

  /** Returns the table: the first column to the left, all others to the right. */
  static List<String> table(List<VariantResult> results) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(Column.ALL.stream().map(Column::title).toList());
    for (VariantResult result : results) {
      rows.add(Column.ALL.stream().map(column -> column.of(result)).toList());
    }
    return align(rows);
  }

  private static List<String> align(List<List<String>> rows) {
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        int column = i;
        int width = rows.stream().mapToInt(cells -> cells.get(column).length()).max().orElse(0);
        String pad = " ".repeat(width - row.get(i).length());
        line.append(i == 0 ? row.get(i) + pad : GAP + pad + row.get(i));
      }
      lines.add(line.toString());
    }
    return lines;
  }

  private static List<String> verdict(List<VariantResult> results) {
    List<String> lines = new ArrayList<>();
    for (VariantResult row : results) {
      if (!row.problems().isEmpty()) {
        lines.add("FAILED " + row.strategy().name() + ": " + String.join(", ", row.problems()));
      }
    }
    boolean anyLocked = results.stream().anyMatch(VariantResult::isLocked);
    if (lines.isEmpty() && anyLocked) {
      lines.add("No locked variant lost or oversold an order.");
    }
    return lines;
  }
}
