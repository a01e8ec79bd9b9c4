package io.lockkeeper.examples.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The stock service is outside of the build: what keeps it, the build and the guide together. */
class SpringBootExamplesTest {

  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Path EXAMPLES = Path.of("spring-boot");

  /** The examples, by the property of the build that has their Spring Boot. */
  private static final Map<String, String> BOOT =
      Map.of(
          "spring-boot-3.version", "boot-3.5",
          "spring-boot-40.version", "boot-4.0",
          "spring-boot.version", "boot-4.1");

  private static String element(String name, String pom) {
    Matcher found = Pattern.compile("<" + name + ">([^<]+)</" + name + ">").matcher(pom);
    assertThat(found.find()).as(name).isTrue();
    return found.group(1);
  }

  private static String example(String folder) throws IOException {
    return Files.readString(EXAMPLES.resolve(folder).resolve("pom.xml"));
  }

  @Test
  void theyAreOnTheVersionsThatTheStarterIsTestedOn() throws IOException {
    String build = Files.readString(ROOT.resolve("pom.xml"));

    for (Map.Entry<String, String> boot : BOOT.entrySet()) {
      assertThat(element("version", example(boot.getValue()))) // that of the parent
          .as(boot.getValue())
          .isEqualTo(element(boot.getKey(), build));
    }
  }

  @Test
  void theyTakeTheLockkeeperOfThisBuild() throws IOException {
    String version = element("version", Files.readString(ROOT.resolve("pom.xml")));

    for (String folder : BOOT.values()) {
      assertThat(element("lockkeeper.version", example(folder))).as(folder).isEqualTo(version);
    }
  }

  @Test
  void theGuideShowsTheirDependencies() throws IOException {
    String guide = Files.readString(ROOT.resolve("docs/guide/spring-boot.md"));
    String pom = example("boot-4.1");
    assertThat(guide)
        .contains("```xml\n" + between("<dependencyManagement>", "</dependencyManagement>", pom));
    for (String module : List.of("lockkeeper-spring-boot-starter", "lockkeeper-redis")) {
      String artifact = "<artifactId>" + module + "</artifactId>";
      assertThat(guide).contains(artifact);
      assertThat(pom).contains(artifact);
    }
  }

  /** Returns the lines from one to another, moved to the left margin. */
  private static String between(String begin, String end, String text) {
    int first = text.indexOf(begin);
    int last = text.indexOf(end);
    assertThat(last).as(begin).isGreaterThan(first);
    first = text.lastIndexOf('\n', first) + 1;
    last = text.indexOf('\n', last) + 1;
    return text.substring(first, last).stripTrailing().stripIndent().strip() + "\n";
  }
}
