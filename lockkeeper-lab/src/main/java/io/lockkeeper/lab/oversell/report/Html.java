package io.lockkeeper.lab.oversell.report;

import java.util.List;
import java.util.stream.Collectors;

/** Pieces of HTML. */
final class Html {

  private Html() {}

  /** Returns the text so that it stands for itself in HTML, in quotes too. */
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /** Returns a row of cells of this kind ({@code td} or {@code th}). */
  static String row(String cell, List<String> texts) {
    return texts.stream()
        .map(text -> "<" + cell + ">" + escape(text) + "</" + cell + ">")
        .collect(Collectors.joining("", "<tr>", "</tr>\n"));
  }

  /** Returns a row of one cell over all columns. */
  static String wideRow(int columns, String text) {
    return "<tr><th class=\"store\" colspan=\"" + columns + "\">" + escape(text) + "</th></tr>\n";
  }

  /** Returns a list with one item per text. */
  static String list(List<String> texts) {
    return texts.stream()
        .map(text -> "<li>" + escape(text) + "</li>\n")
        .collect(Collectors.joining("", "<ul>\n", "</ul>\n"));
  }
}
