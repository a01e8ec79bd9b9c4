package io.lockkeeper.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GuideTest {

  private static final Pattern JAVA = Pattern.compile("(?s)```java\n(.*?)```");

  @Test
  void whatTheGuideShowsIsCompiled() throws IOException {
    String compiled =
        flat(Files.readString(Path.of("src/test/java/io/lockkeeper/cache/GuideExamples.java")));
    Matcher snippets = JAVA.matcher(Files.readString(Path.of("../docs/guide/cache.md")));
    int count = 0;
    while (snippets.find()) {
      assertThat(compiled).contains(flat(snippets.group(1)));
      count++;
    }
    assertThat(count).isEqualTo(5);
  }

  private static String flat(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }
}
