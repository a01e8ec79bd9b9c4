package io.lockkeeper.lab.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Pages and pieces of HTML. */
public final class Html {

  private Html() {}

  /** Returns the file beside a class, with what stands for each name in it filled in. */
  public static String page(Class<?> near, String file, Map<String, String> values) {
    String page;
    try (InputStream in = near.getResourceAsStream(file)) {
      page = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (Map.Entry<String, String> value : values.entrySet()) {
      page = page.replace("${" + value.getKey() + "}", value.getValue());
    }
    return page;
  }

  /** Returns the text so that it stands for itself in HTML, in quotes too. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /** Returns a row of cells of this kind ({@code td} or {@code th}). */
  public static String row(String cell, List<String> texts) {
    return texts.stream()
        .map(text -> "<" + cell + ">" + escape(text) + "</" + cell + ">")
        .collect(Collectors.joining("", "<tr>", "</tr>\n"));
  }

  /** Returns a row of one cell over all columns. */
  public static String wideRow(int columns, String text) {
    return "<tr><th class=\"store\" colspan=\"" + columns + "\">" + escape(text) + "</th></tr>\n";
  }

  /** Returns a list with one item per text. */
  public static String list(List<String> texts) {
    return texts.stream()
        .map(text -> "<li>" + escape(text) + "</li>\n")
        .collect(Collectors.joining("", "<ul>\n", "</ul>\n"));
  }
}
