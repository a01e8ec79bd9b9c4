package io.lockkeeper.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GuideTest {

  private static final Pattern JAVA = Pattern.compile("(?s)```java\n(.*?)```");

  /** Snippets of other modules, whose tests compile them. */
  private static final Pattern OTHERS =
      Pattern.compile("LockkeeperLockProvider|Fence fence|sellOne|restock");

  private static String flat(String text) {
    return text.replaceAll("\\s+", " ").replace("static class", "class").strip();
  }

  @Test
  void whatTheGuideShowsIsCompiled() throws IOException {
    String compiled =
        flat(
            Files.readString(
                Path.of("src/test/java/io/lockkeeper/spring").resolve("GuideExamples.java")));
    for (String page :
        List.of(
            "spring-boot.md",
            "scheduled-jobs.md",
            "fenced-writes.md",
            "transactions-and-locks.md")) {
      Matcher snippets = JAVA.matcher(Files.readString(Path.of("../docs/guide").resolve(page)));
      int count = 0;
      while (snippets.find()) {
        if (!OTHERS.matcher(snippets.group(1)).find()) {
          assertThat(compiled).contains(flat(snippets.group(1)));
          count++;
        }
      }
      assertThat(count).as(page).isPositive();
    }
  }
}
