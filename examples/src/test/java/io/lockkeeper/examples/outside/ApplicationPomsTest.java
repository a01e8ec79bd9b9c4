package io.lockkeeper.examples.outside;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The stock service is outside of the build: what keeps it, the build and the guide together. */
class ApplicationPomsTest {

  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();

  /** The examples, by the property of the build that has their Spring Boot. */
  private static final Map<String, String> BOOT =
      Map.of(
          "spring-boot-3.version", "spring-boot/boot-3.5",
          "spring-boot-40.version", "spring-boot/boot-4.0",
          "spring-boot.version", "spring-boot/boot-4.1");

  private static final String MICRONAUT = "micronaut";
  private static final String QUARKUS = "quarkus";

  private static String element(String name, String pom) {
    Matcher found = Pattern.compile("<" + name + ">([^<]+)</" + name + ">").matcher(pom);
    assertThat(found.find()).as(name).isTrue();
    return found.group(1);
  }

  private static String example(String folder) throws IOException {
    return Files.readString(Path.of(folder, "pom.xml"));
  }

  @Test
  void theyAreOnTheVersionsThatTheModulesAreTestedOn() throws IOException {
    String build = Files.readString(ROOT.resolve("pom.xml"));

    for (Map.Entry<String, String> boot : BOOT.entrySet()) {
      assertThat(element("version", example(boot.getValue()))) // that of the parent
          .as(boot.getValue())
          .isEqualTo(element(boot.getKey(), build));
    }
    assertThat(element("version", example(MICRONAUT)))
        .isEqualTo(
            element(
                "micronaut.version",
                Files.readString(ROOT.resolve("integrations/micronaut/pom.xml"))));
    assertThat(element("quarkus.version", example(QUARKUS)))
        .isEqualTo(element("quarkus.version", build));
  }

  @Test
  void theyTakeTheLockkeeperOfThisBuild() throws IOException {
    String version = element("version", Files.readString(ROOT.resolve("pom.xml")));

    List<String> folders = new ArrayList<>(BOOT.values());
    folders.addAll(List.of(MICRONAUT, QUARKUS));
    for (String folder : folders) {
      assertThat(element("lockkeeper.version", example(folder))).as(folder).isEqualTo(version);
    }
  }

  @Test
  void theGuideShowsTheirDependencies() throws IOException {
    String guide = Files.readString(ROOT.resolve("docs/guide/spring-boot.md"));
    String pom = example("spring-boot/boot-4.1");
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
