package io.lockkeeper.cli.console;

import java.util.ArrayList;
import java.util.List;

/** Rows of text under headings, each column as wide as its widest cell. */
public final class Table {

  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  /** Creates one. */
  public Table(String... headings) {
    rows.add(List.of(headings));
  }

  /** Adds a row of as many cells as there are headings. */
  public void row(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(printable(String.valueOf(cell)));
    }
    if (row.size() != rows.get(0).size()) {
      throw new IllegalArgumentException("a row of " + row.size() + " cells");
    }
    rows.add(row);
  }

  /** Keeps text of other programs from moving the cursor or colouring the screen. */
  private static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  /** Returns the lines, headings first. */
  public List<String> lines() {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = row.get(i);
      line.append(cell).append(" ".repeat(widths[i] - cell.length())).append(GAP);
    }
    return line.toString().stripTrailing();
  }
}
