package io.lockkeeper.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockkeeper.testkit.tck.Chapters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** docs/SPEC.md and the test kit speak of the same promises. */
class SpecTest {

  private static final Pattern HEADING = Pattern.compile("(?m)^### ([A-Z]+\\d+)\\. ");
  private static final Pattern CHAPTER = Pattern.compile("(?m)^## .+$");
  private static final Pattern CHECKED_BY = Pattern.compile("(?m)^\\*Checked by:\\* (.+)$");

  private static String spec = "";

  @BeforeAll
  static void read() throws IOException {
    spec = Files.readString(Path.of("..", "..", "docs", "SPEC.md"));
  }

  @Test
  void everyPromiseThatNamesNoOtherTestHasOneInTheTestKitAndEveryTestAPromise() {
    Set<String> expected = new TreeSet<>();
    sections()
        .forEach(
            (id, text) -> {
              String checkedBy = checkedBy(text);
              if (checkedBy.isEmpty() || checkedBy.contains("test kit")) {
                expected.add(id);
              }
            });

    assertThat(Chapters.promises()).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void noIdIsUsedTwice() {
    assertThat(HEADING.matcher(spec).results().map(m -> m.group(1))).doesNotHaveDuplicates();
  }

  /** Returns each promise with the beginning of its chapter, which may name tests for all. */
  private static Map<String, String> sections() {
    Map<String, String> sections = new TreeMap<>();
    Matcher heading = HEADING.matcher(spec);
    while (heading.find()) {
      sections.put(heading.group(1), untilNextHeading(heading.end()) + chapter(heading.start()));
    }
    return sections;
  }

  private static String chapter(int promise) {
    Matcher chapter = CHAPTER.matcher(spec).region(0, promise);
    String beginning = "";
    while (chapter.find()) {
      beginning = untilNextHeading(chapter.end());
    }
    return beginning;
  }

  private static String untilNextHeading(int start) {
    int end = spec.indexOf("\n##", start);
    return spec.substring(start, end < 0 ? spec.length() : end);
  }

  private static String checkedBy(String section) {
    Matcher matcher = CHECKED_BY.matcher(section);
    return matcher.find() ? matcher.group(1) : "";
  }
}
