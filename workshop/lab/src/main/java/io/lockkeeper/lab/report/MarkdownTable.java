package io.lockkeeper.lab.report;

import java.util.ArrayList;
import java.util.List;

/** A Markdown table; all columns but the first are aligned to the right. */
public final class MarkdownTable {

  private final List<String> lines = new ArrayList<>();

  public MarkdownTable(String... headings) {
    row(headings);
    lines.add("|---" + "|--:".repeat(headings.length - 1) + "|");
  }

  public void row(String... cells) {
    lines.add("| " + String.join(" | ", cells) + " |");
  }

  /** Adds a title for the rows that follow. */
  public void title(String title) {
    row("**" + title + "**");
  }

  @Override
  public String toString() {
    return String.join("\n", lines) + "\n";
  }
}
