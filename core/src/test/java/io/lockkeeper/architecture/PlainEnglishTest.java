package io.lockkeeper.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Documents and comments speak of clients, threads and requests in the words of the JDK's. */
class PlainEnglishTest {

  private static final Pattern PHRASE =
      Pattern.compile(
          "(?i)\\b(whoever|whom|(is|are) told|lets? in|takes? note|hears? of|so long as)\\b");

  private static final Pattern READ =
      Pattern.compile(".*\\.md|.*/src/(main|test)/.*\\.(java|kt|lua|sql)");

  /** Others write into a target during a build, and have written the modules of the site. */
  private static final Set<String> LEFT_OUT = Set.of("target", "node_modules", ".git");

  private final List<String> found = new ArrayList<>();
  private int filesRead;

  @Test
  void documentsAndCommentsHaveNoneOfThePhrases() throws IOException {
    check(Repository.ROOT);

    assertThat(found).as("said as of people").isEmpty();
    assertThat(filesRead).isGreaterThan(500);
  }

  private void check(Path folder) throws IOException {
    try (DirectoryStream<Path> children =
        Files.newDirectoryStream(folder, at -> !LEFT_OUT.contains(at.getFileName().toString()))) {
      for (Path child : children) {
        String name = Repository.ROOT.relativize(child).toString().replace('\\', '/');
        if (Files.isDirectory(child)) {
          check(child);
        } else if (READ.matcher(name).matches()) {
          filesRead++;
          check(name, Files.readAllLines(child));
        }
      }
    }
  }

  /** A phrase may begin with the last word of a line and go on in the next. */
  private void check(String name, List<String> lines) {
    boolean isBlock = false;
    String before = "";
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      isBlock |= line.startsWith("/*");
      String text = isBlock || name.endsWith(".md") ? line : afterMark(line, name);
      isBlock &= !line.contains("*/");
      String words = text.replaceFirst("^\\*\\s*", "");
      String last = before.substring(before.lastIndexOf(' ') + 1) + " ";
      if (PHRASE.matcher(last + words).results().anyMatch(at -> at.end() > last.length())) {
        found.add(name + ":" + (i + 1) + ": " + line);
      }
      before = words;
    }
  }

  private static String afterMark(String line, String name) {
    String mark = name.endsWith(".lua") || name.endsWith(".sql") ? "--" : "//";
    int at = line.indexOf(mark);
    return at < 0 ? "" : line.substring(at + mark.length()).strip();
  }
}
