package io.lockkeeper.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The modules of the build and those of lockkeeper-bom. */
class BomTest {

  private static String pom(String module) throws IOException {
    return Files.readString(Repository.ROOT.resolve(module).resolve("pom.xml"));
  }

  private static List<String> all(String element, String pom) {
    return Pattern.compile("<" + element + ">([^<]+)</" + element + ">")
        .matcher(pom)
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private static List<String> published() throws IOException {
    List<String> published = new ArrayList<>();
    for (String module : all("module", pom(""))) {
      if (!module.equals("lockkeeper-bom")
          && !pom(module).contains("<maven.deploy.skip>true</maven.deploy.skip>")) {
        published.add(module);
      }
    }
    return published;
  }

  @Test
  void theBomHasEachModuleThatIsPublished() throws IOException {
    String bom = pom("lockkeeper-bom");
    int begin = bom.indexOf("<dependencyManagement>");
    int end = bom.indexOf("</dependencyManagement>");

    assertThat(all("artifactId", bom.substring(begin, end)))
        .containsExactlyInAnyOrderElementsOf(published());
  }

  @Test
  void whatIsPublishedSaysWhatItIs() throws IOException {
    for (String module : published()) {
      assertThat(pom(module)).as(module).contains("<name>", "<description>");
    }
    for (String module : List.of("", "lockkeeper-bom")) { // the others inherit it
      assertThat(pom(module))
          .as(module)
          .contains("<description>", "<url>", "<license>", "<developer>", "<scm");
    }
  }

  /** The BOM has no parent, from which it would inherit the version and what that manages. */
  @Test
  void theBomHasTheVersionOfItsModules() throws IOException {
    String bom = pom("lockkeeper-bom");

    assertThat(bom).doesNotContain("<parent>");
    assertThat(all("version", bom).get(0)).isEqualTo(all("version", pom("")).get(0));
  }
}
