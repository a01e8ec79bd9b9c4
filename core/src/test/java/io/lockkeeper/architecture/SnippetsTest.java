package io.lockkeeper.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertAll;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The Java and Kotlin that the documents show stands in a source file that a build compiles. */
class SnippetsTest {

  private static final Pattern SNIPPET = Pattern.compile("(?s)```(java|kotlin)\n(.*?)```");
  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|(?<!:)//[^\n]*");
  private static final Pattern LEFT_OUT = Pattern.compile("(.*/)?(target|node_modules)/.*");
  private static final Pattern SPACE = Pattern.compile("\\s+");

  private static List<Path> files(String... endings) throws IOException {
    try (Stream<Path> files = Files.walk(Repository.ROOT)) {
      return files
          .filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith))
          .filter(file -> !LEFT_OUT.matcher(Repository.ROOT.relativize(file).toString()).matches())
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns what two texts have to have in common: no comments, no layout. A class of an example is
   * static where it stands inside another, and a bean is none in a module without Spring.
   */
  private static String essence(String code) {
    String bare = COMMENT.matcher(code).replaceAll("");
    return SPACE.matcher(bare).replaceAll("").replace("staticclass", "class").replace("@Bean", "");
  }

  @TestFactory
  Stream<DynamicTest> whatADocumentShowsIsCompiled() throws IOException {
    List<String> sources =
        files(".java", ".kt").stream().map(SnippetsTest::read).map(SnippetsTest::essence).toList();
    List<DynamicTest> tests = new ArrayList<>();
    for (Path document : files(".md")) {
      String text = read(document);
      Matcher snippets = SNIPPET.matcher(text);
      while (snippets.find()) {
        long line = text.substring(0, snippets.start()).lines().count() + 1;
        String snippet = snippets.group(2);
        tests.add(
            DynamicTest.dynamicTest(
                Repository.ROOT.relativize(document) + ":" + line,
                () ->
                    assertThat(sources)
                        .as("a source file with%n%s", snippet)
                        .anyMatch(source -> source.contains(essence(snippet)))));
      }
    }
    assertThat(tests).hasSizeGreaterThan(30);
    return tests.stream();
  }

  @Test
  void whatIsComparedIsTheCodeAndNotItsLayout() {
    assertAll(
        () -> assertThat(essence("a(b); // why\n  /* how */ c();")).isEqualTo("a(b);c();"),
        () -> assertThat(essence("at(\"redis://db\");")).isEqualTo("at(\"redis://db\");"),
        () -> assertThat(essence("a(b);")).isNotEqualTo(essence("a(c);")));
  }
}
