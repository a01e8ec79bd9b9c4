package io.lockkeeper.lab.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The part of a document that a run writes, between two marks; people write the rest. */
public final class ResultsPart {

  private static final String BEGIN = "<!-- results:begin -->\n";
  private static final String END = "<!-- results:end -->\n";

  private ResultsPart() {}

  /**
   * Writes results into a document.
   *
   * @param title that of the document if it does not exist yet
   */
  public static void write(Path document, String title, String results) throws IOException {
    String old = Files.exists(document) ? Files.readString(document) : "";
    int begin = old.indexOf(BEGIN);
    int end = old.indexOf(END);
    boolean isMarked = 0 <= begin && begin < end;
    String before = isMarked ? old.substring(0, begin) : "# " + title + "\n\n";
    String after = isMarked ? old.substring(end + END.length()) : "";
    Files.writeString(document, before + BEGIN + "\n" + results + "\n" + END + after);
  }
}
