package io.lockkeeper.architecture;

import static io.lockkeeper.architecture.Repository.pom;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The modules of the build and those of lockkeeper-bom. */
class BomTest {

  private static final String BOM = "bom";

  private static List<String> all(String element, String pom) {
    return Pattern.compile("<" + element + ">([^<]+)</" + element + ">")
        .matcher(pom)
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  static List<String> published() throws IOException {
    List<String> published = new ArrayList<>();
    for (String module : Repository.modules()) {
      if (!module.equals(BOM)
          && !pom(module).contains("<maven.deploy.skip>true</maven.deploy.skip>")) {
        published.add(module);
      }
    }
    return published;
  }

  @Test
  void theBomHasEachModuleThatIsPublished() throws IOException {
    String bom = pom(BOM);
    int begin = bom.indexOf("<dependencyManagement>");
    int end = bom.indexOf("</dependencyManagement>");

    List<String> expected = new ArrayList<>();
    for (String module : published()) {
      expected.add(Repository.artifact(module));
    }
    assertThat(all("artifactId", bom.substring(begin, end)))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void whatIsPublishedSaysWhatItIs() throws IOException {
    for (String module : published()) {
      assertThat(pom(module)).as(module).contains("<name>", "<description>");
    }
    for (String module : List.of("", BOM)) { // the others inherit it
      assertThat(pom(module))
          .as(module)
          .contains("<description>", "<url>", "<license>", "<developer>", "<scm");
    }
  }

  /** What depends on it by that name keeps doing so when it gets a descriptor. */
  @Test
  void whatIsPublishedHasTheNameOfAModule() throws IOException {
    for (String module : published()) {
      Path descriptor = Repository.ROOT.resolve(module).resolve("src/main/java/module-info.java");
      if (!Files.exists(descriptor)) {
        assertThat(all("Automatic-Module-Name", pom(module)))
            .as(module)
            .singleElement()
            .asString()
            .startsWith("io.lockkeeper.");
      }
    }
  }

  /** The BOM has no parent, from which it would inherit the version and what that manages. */
  @Test
  void theBomHasTheVersionOfItsModules() throws IOException {
    String bom = pom(BOM);

    assertThat(bom).doesNotContain("<parent>");
    assertThat(all("version", bom).get(0)).isEqualTo(all("version", pom("")).get(0));
  }
}
